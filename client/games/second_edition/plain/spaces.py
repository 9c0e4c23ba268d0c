"""The board in words, for plain mode: every space with its contents and its exits."""

from collections.abc import Iterable, Iterator

from client.games.second_edition.speaker import in_game
from client.locale.speaker import Speaker
from client.plain.match import NamedThing, fitting
from client.text.ascii_fold import folded_words
from protocol.boards.maps import Boundary, Edge
from protocol.games.second_edition.table import SecondEditionTable, Wellbeing


def map_lines(
    speaker: Speaker, game: SecondEditionTable, spaces: Iterable[str] | None = None
) -> Iterator[str]:
    """Yield a line with contents and exits for each of `spaces`; None stands for all spaces."""
    if not game.tiles:
        yield speaker.say("map.empty")
    for space in game.map.rooms if spaces is None else spaces:
        here = list(_contents(speaker, game, space))
        parts = [speaker.say("plain.here", ", ".join(here))] if here else []
        ways = [_way(speaker, game, space, edge) for edge in game.map.edges_of(space)]
        # A token on a door: nobody has looked behind it yet.
        doors = (game.map.doors.get(token.at) for token in game.tokens.values())
        unexplored = [door for door in doors if door is not None and space in door.sides]
        ways += [speaker.say("plain.unexplored") for _ in unexplored]
        named = [way for way in dict.fromkeys(ways) if way]
        if named:
            parts.append(speaker.say("plain.ways", ", ".join(named)))
        yield f"{in_game(speaker).space(game, space)}. {' '.join(parts)}".strip()


def spaces_named(
    speaker: Speaker, game: SecondEditionTable, typed: str, little: frozenset[str]
) -> tuple[str, ...]:
    """
    Return the spaces that a typed line names: by the map room, or by a thing in the space.

    `little` has the insignificant words, such as articles.
    """
    spaces = tuple(game.map.rooms)
    things: list[NamedThing] = []
    for space in spaces:
        lying = _contents(speaker, game, space)
        also = frozenset(word for name in lying for word in folded_words(name))
        things.append(NamedThing(in_game(speaker).space(game, space), also=also))
    return tuple(spaces[at] for at in fitting(typed, things, little))


def spaces_around(game: SecondEditionTable, seat: int | None) -> tuple[str, ...]:
    """
    Return the spaces of a seat's investigators, then adjacent spaces without a wall between.

    For a spectator, the active investigator counts; if none is active, all investigators do.
    """
    people = game.investigators.values()
    mine = [who for who in people if who.seat == seat]
    mine = mine or [who for who in people if who.investigator_id == game.active] or [*people]
    here = [who.space for who in mine if who.space is not None]
    edges = [(space, edge) for space in here for edge in game.map.edges_of(space)]
    beside = [edge.across(space) for space, edge in edges if edge.line is not Boundary.WALL]
    return tuple(dict.fromkeys([*here, *beside]))


def names_on_board(speaker: Speaker, game: SecondEditionTable) -> tuple[str, ...]:
    """Return the names of all spaces, then the names of all things in spaces."""
    spaces = tuple(game.map.rooms)
    names = [in_game(speaker).space(game, space) for space in spaces]
    return tuple(
        dict.fromkeys([*names, *(one for at in spaces for one in _contents(speaker, game, at))])
    )


def _contents(speaker: Speaker, game: SecondEditionTable, space: str) -> Iterator[str]:
    for who in game.investigators.values():
        if who.space == space:
            yield speaker.name("investigator", who.investigator_id)
    for monster in game.monsters.values():
        if monster.space == space:
            yield in_game(speaker).monster(monster)
    for token in game.tokens.values():
        if token.at == space:
            hurt = game.persons.get(token.token_id)
            if hurt is None:
                yield speaker.say("plain.token", in_game(speaker).token(token))
            else:
                yield f"{in_game(speaker).person(token)} ({_damage_of(speaker, hurt)})"
    blocked = {feature.against for feature in game.features.values()}
    for feature in game.features.values():
        if feature.space == space:
            name = speaker.say(f"feature.{feature.kind.value}")
            is_blocked = feature.feature_id in blocked
            yield f"{name} ({speaker.say('plain.blocked')})" if is_blocked else name
    for possession in game.lying.get(space, ()):
        yield speaker.name("card", possession.face)


def _damage_of(speaker: Speaker, hurt: Wellbeing) -> str:
    return speaker.say("box.damage", hurt.damage, hurt.health)


def _way(speaker: Speaker, game: SecondEditionTable, space: str, edge: Edge) -> str:
    other = in_game(speaker).space(game, edge.across(space))
    match edge.line:
        case Boundary.WALL:
            return ""
        case Boundary.BORDER:
            return other
        case _:
            notes = [
                speaker.say(f"map.{edge.line.value}"),
                *_door_notes(speaker, game, space, edge),
            ]
            return f"{other} ({', '.join(notes)})"


def _door_notes(
    speaker: Speaker, game: SecondEditionTable, space: str, edge: Edge
) -> Iterator[str]:
    """Yield words for the side of a door, and for a Barricade that blocks the door."""
    door = game.map.doors.get(edge.door or "")
    if door is None:
        return
    side = game.map.side(space, door.cells)
    if side is not None:
        yield speaker.say(f"compass.{side.value}")
    blocked = [game.map.doors.get(feature.against or "") for feature in game.features.values()]
    if door in blocked:
        yield speaker.say("plain.blocked")
