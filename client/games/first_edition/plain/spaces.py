"""The board in words, for plain mode: every space with its contents and its exits."""

from collections.abc import Iterable, Iterator

from client.games.first_edition.outdoors import story_in_rooms
from client.games.first_edition.panes.legend import damage_of
from client.games.first_edition.speaker import FirstEditionSpeaker
from client.plain.match import NamedThing, fitting
from client.text.ascii_fold import folded_words
from protocol.boards.links import linked
from protocol.boards.maps import Boundary, Edge
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import UNDER, FeatureKind

_LINKS = (FeatureKind.LADDER.value, FeatureKind.DUCT.value, UNDER)


def map_lines(
    speaker: FirstEditionSpeaker, game: FirstEditionTable, spaces: Iterable[str] | None = None
) -> Iterator[str]:
    """Yield a line with contents and exits for each of `spaces`; None stands for all spaces."""
    if not game.tiles:
        yield speaker.say("map.empty")
    for space in game.map.rooms if spaces is None else spaces:
        here = list(_contents(speaker, game, space))
        parts = [speaker.say("plain.here", ", ".join(here))] if here else []
        ways = list(dict.fromkeys(_ways(speaker, game, space)))
        if ways:
            parts.append(speaker.say("plain.ways", ", ".join(ways)))
        barred = [
            speaker.space(game, edge.across(space))
            for edge in game.map.edges_of(space)
            if edge.line is Boundary.IMPASSABLE
        ]
        if barred:
            parts.append(speaker.say("plain.barred", ", ".join(barred)))
        yield f"{speaker.space(game, space)}. {' '.join(parts)}".strip()


def spaces_called(
    speaker: FirstEditionSpeaker, game: FirstEditionTable, typed: str, little: frozenset[str]
) -> tuple[str, ...]:
    """
    Return the spaces that a typed line names: by the map room, or by a thing in the space.

    `little` has the insignificant words, such as articles.
    """
    spaces = tuple(game.map.rooms)
    things: list[NamedThing] = []
    for space in spaces:
        found = _contents(speaker, game, space)
        also = frozenset(word for name in found for word in folded_words(name))
        things.append(NamedThing(speaker.space(game, space), also=also))
    return tuple(spaces[at] for at in fitting(typed, things, little))


def spaces_around(game: FirstEditionTable, seat: int | None) -> tuple[str, ...]:
    """
    Return the spaces of a seat's investigators, then those that they could go to.

    For the keeper and a spectator, the active investigator counts; else all investigators do.
    """
    people = game.investigators.values()
    mine = [who for who in people if who.seat == seat]
    mine = mine or [who for who in people if who.investigator_id == game.active] or [*people]
    here = [who.space for who in mine]
    beside: list[str] = []
    for space in here:
        edges = game.map.edges_of(space)
        beside += [edge.across(space) for edge in edges if edge.line is not Boundary.WALL]
        beside += game.map.diagonals_of(space)
        beside += linked(game.links, space, _LINKS)
    return tuple(dict.fromkeys([*here, *beside]))


def names_on_board(speaker: FirstEditionSpeaker, game: FirstEditionTable) -> tuple[str, ...]:
    """Return the names of all spaces, then the names of all things in spaces."""
    spaces = tuple(game.map.rooms)
    names = [speaker.space(game, space) for space in spaces]
    return tuple(
        dict.fromkeys([*names, *(one for at in spaces for one in _contents(speaker, game, at))])
    )


def _contents(speaker: FirstEditionSpeaker, game: FirstEditionTable, space: str) -> Iterator[str]:
    """Yield the ground of a space, then everybody and everything in it."""
    room = game.room_of(space)
    if space in game.submerged:
        yield speaker.say("ground.water")
    elif room in game.outdoor:
        yield speaker.say("ground.outdoor")
    for who in game.characters():
        if who.space == space:
            yield speaker.character(who.character_id)
    for monster in game.monsters_at(space):
        name, damage = speaker.monster(game, monster), damage_of(monster, " ({0})")
        name = speaker.say("plain.flies", name) if monster.is_flying else name
        yield f"{name}{damage}"
    for feature in game.features.values():
        is_here = feature.at == space
        if is_here and feature.against is not None:
            yield speaker.say("plain.against", speaker.feature(feature))
        elif is_here:
            yield speaker.feature(feature)
    # What is of a room is said once, with its first space; fire and darkness with each.
    for feature in game.features.values():
        if feature.kind.is_of_room and feature.at == room:
            yield speaker.feature(feature)
    if space == game.map.spaces_of(room)[0]:
        yield from _in_room(speaker, game, room)


def _in_room(speaker: FirstEditionSpeaker, game: FirstEditionTable, room: str) -> Iterator[str]:
    """Yield the lock, the cards and the items of a room."""
    if room in game.locks:
        lock = game.locks[room].shown
        yield speaker.say("pile.lock") if lock is None else speaker.card(lock)
    cards = game.laid.get(room, ())
    if cards:
        yield speaker.say("pile.cards", len(cards))
        if cards[0].shown is not None:
            yield speaker.card(cards[0].shown)
    for story in story_in_rooms(game).get(room, ()):
        yield speaker.story_card(story)
    for item in game.lying.get(room, ()):
        yield speaker.say("plain.lying", speaker.card(item.card))


def _ways(speaker: FirstEditionSpeaker, game: FirstEditionTable, space: str) -> Iterator[str]:
    for edge in game.map.edges_of(space):
        if edge.line not in {Boundary.WALL, Boundary.IMPASSABLE}:
            yield _way(speaker, game, space, edge)
    for other in game.map.diagonals_of(space):
        yield speaker.say("plain.across_corner", speaker.space(game, other))
    for kind in _LINKS:
        for other in linked(game.links, space, (kind,)):
            name = speaker.space(game, other)
            yield speaker.say("plain.by", name, speaker.say(f"feature.{kind}"))


def _way(speaker: FirstEditionSpeaker, game: FirstEditionTable, space: str, edge: Edge) -> str:
    other = edge.across(space)
    notes: list[str] = []
    if edge.line is Boundary.DOOR:
        notes.append(speaker.say("map.door"))
        door = game.map.doors.get(edge.door or "")
        side = game.map.side(space, door.cells) if door is not None else None
        if side is not None:
            notes.append(speaker.say(f"compass.{side.value}"))
        pairs = {(one.at, one.against) for one in game.features.values()}
        if pairs & {(space, other), (other, space)}:
            notes.append(speaker.say("plain.blocked"))
    room = game.room_of(other)
    if room != game.room_of(space):
        if edge.line is Boundary.BORDER and game.outdoor:
            notes.append(speaker.say("map.limit"))
        if room in game.locks:
            notes.append(speaker.say("plain.locked"))
    name = speaker.space(game, other)
    return f"{name} ({', '.join(notes)})" if notes else name
