"""
The board in words: every space with who and what is there, and where it leads.

What plain mode says where the full screen draws the map.
"""

from collections.abc import Iterable, Iterator

from client.locale.speaker import Speaker
from client.plain.match import Named, fitting
from protocol.common.maps import Edge, Line
from protocol.second_edition.table import FeatureKind, SecondEditionTable


def map_lines(
    speaker: Speaker, game: SecondEditionTable, spaces: Iterable[str] | None = None
) -> Iterator[str]:
    """Yield spaces that are known, all unless told which: who is there, and where they lead."""
    if not game.tiles:
        yield speaker.say("map.empty")
    for space in game.map.rooms if spaces is None else spaces:
        here = [*_figures(speaker, game, space), *_things(speaker, game, space)]
        parts = [speaker.say("plain.here", ", ".join(here))] if here else []
        ways = [_way(speaker, game, space, edge) for edge in game.map.edges_of(space)]
        ways += _passages(speaker, game, space)
        ways += _unexplored(speaker, game, space)
        named = [way for way in dict.fromkeys(ways) if way]
        if named:
            parts.append(speaker.say("plain.ways", ", ".join(named)))
        yield f"{speaker.space(game, space)}. {' '.join(parts)}".strip()


def spaces_named(
    speaker: Speaker, game: SecondEditionTable, typed: str, little: frozenset[str]
) -> tuple[str, ...]:
    """Return the spaces that a line names, such as all of one room."""
    spaces = tuple(game.map.rooms)
    things = tuple(Named(speaker.space(game, space)) for space in spaces)
    return tuple(spaces[at] for at in fitting(typed, things, little))


def spaces_around(game: SecondEditionTable, seat: int | None) -> tuple[str, ...]:
    """
    Return the spaces where a seat's investigators stand, then those that are one step away.

    For somebody who looks on, those of whoever has the turn, else of everybody.
    """
    people = game.investigators.values()
    mine = [who for who in people if who.seat == seat]
    mine = mine or [who for who in people if who.investigator_id == game.active] or [*people]
    here = [who.space for who in mine if who.space is not None]
    beside = [
        edge.across(space)
        for space in here
        for edge in game.map.edges_of(space)
        if edge.line in {Line.BORDER, Line.DOOR}
    ]
    return tuple(dict.fromkeys([*here, *beside]))


def _figures(speaker: Speaker, game: SecondEditionTable, space: str) -> Iterator[str]:
    for who in game.investigators.values():
        if who.space == space:
            yield speaker.name("investigator", who.investigator_id)
    for monster in game.monsters.values():
        if monster.space == space:
            yield speaker.monster(monster)


def _things(speaker: Speaker, game: SecondEditionTable, space: str) -> Iterator[str]:
    for token in game.tokens.values():
        if token.at == space:
            yield speaker.say("plain.token", speaker.token(token))
    for feature in game.features.values():
        if feature.space == space:
            yield speaker.say(f"feature.{feature.kind.value}")
    for possession in game.lying.get(space, ()):
        yield speaker.name("card", possession.face)


def _way(speaker: Speaker, game: SecondEditionTable, space: str, edge: Edge) -> str:
    other = speaker.space(game, edge.across(space))
    match edge.line:
        case Line.WALL:
            return ""
        case Line.BORDER:
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
    """Yield on which side a door lies, and whether a Barricade blocks it."""
    door = game.map.doors.get(edge.door or "")
    if door is None:
        return
    side = game.map.side(space, door.cells)
    if side is not None:
        yield speaker.say(f"compass.{side.value}")
    blocked = [game.map.doors.get(feature.against or "") for feature in game.features.values()]
    if door in blocked:
        yield speaker.say("plain.blocked")


def _passages(speaker: Speaker, game: SecondEditionTable, space: str) -> Iterator[str]:
    """Yield where a Secret Passage leads. Rule PASSAGE-1."""
    passages = [f for f in game.features.values() if f.kind is FeatureKind.SECRET_PASSAGE]
    blocked = [f.against for f in game.features.values()]
    if all(passage.space != space for passage in passages):
        return
    is_shut = any(f.space == space and f.feature_id in blocked for f in passages)
    for passage in passages:
        if passage.space != space:
            notes = [speaker.say("feature.secret_passage")]
            if is_shut or passage.feature_id in blocked:
                notes.append(speaker.say("plain.blocked"))
            yield f"{speaker.space(game, passage.space)} ({', '.join(notes)})"


def _unexplored(speaker: Speaker, game: SecondEditionTable, space: str) -> Iterator[str]:
    for token in game.tokens.values():
        door = game.map.doors.get(token.at)
        if door is not None and space in door.sides:
            yield speaker.say("plain.unexplored")
