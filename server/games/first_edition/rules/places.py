"""Places: spaces and rooms as content names them, and how questions name them."""

from collections.abc import Sequence
from typing import TypeVar

from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.first_edition.table import (
    FeatureId,
    FirstEditionTable,
    MonsterId,
    PieceId,
    RoomId,
    SpaceId,
)
from protocol.games.first_edition.words import FeatureKind
from server.games.first_edition.rules.play import Play, Source, about, chooser
from server.kernel.asks import Option

T = TypeVar("T")


def spaces_at(play: Play, place: str, source: Source) -> tuple[SpaceId, ...]:
    """Return every space that an id, a room or a word can mean; `chosen` means each of them."""
    table, rooms = play.table, play.table.map.rooms
    match place:
        case "actor":
            if source.actor is None or not table.is_here(source.actor):
                return ()
            return (table.character(source.actor).space,)
        case "monster":
            monster = table.monsters.get(source.monster or "")
            return () if monster is None else (monster.space,)
        case "start":
            return (table.start,)
        case "chosen":
            return tuple(rooms)
    return (place,) if place in rooms else table.map.spaces_of(place)


def rooms_at(play: Play, place: str, source: Source) -> tuple[RoomId, ...]:
    """Return the rooms of all spaces that a place can mean, each once."""
    rooms = play.table.map.rooms
    return tuple(dict.fromkeys(rooms[space] for space in spaces_at(play, place, source)))


def of_feature(play: Play, kind: FeatureKind, place: str, source: Source) -> tuple[str, ...]:
    """Return the rooms or the spaces that a place can mean for a feature of a kind."""
    return (rooms_at if kind.is_of_room else spaces_at)(play, place, source)


async def choose_space(
    play: Play, spaces: Sequence[SpaceId], source: Source, figure: str
) -> SpaceId:
    """Have one of several spaces chosen for a figure; a single one needs no question."""
    if len(spaces) == 1:
        return spaces[0]
    options = [
        Option(space, Text("choice/space", (name(play.table, space),)), (at_space(space),), "move")
        for space in spaces
    ]
    prompt = Text("ask/space", (source.card, figure))
    return await play.choose(
        chooser(play, source), options, rule="K-CARD-3", about=about(source), prompt=prompt
    )


async def choose_room(play: Play, rooms: Sequence[RoomId], source: Source) -> RoomId | None:
    """Have one of several rooms chosen; a single one needs no question. None if there is none."""
    if len(rooms) <= 1:
        return next(iter(rooms), None)
    options = [Option(one, Text("choice/room", (one,)), (at_room(one),)) for one in rooms]
    return await play.choose(
        chooser(play, source),
        options,
        rule="K-CARD-3",
        about=about(source),
        prompt=Text("ask/room", (source.card,)),
    )


def name(table: FirstEditionTable, space: SpaceId) -> str | Text:
    """Name a space by its room, and by its number if the room has several spaces."""
    room = table.map.rooms[space]
    spaces = table.map.spaces_of(room)
    return room if len(spaces) == 1 else Text("name/part", (room, spaces.index(space) + 1))


def monster_name(table: FirstEditionTable, monster: MonsterId) -> str | Text:
    """Name a monster, with its number if there are others of its kind."""
    piece = table.monsters[monster]
    is_only_one = sum(one.kind == piece.kind for one in table.monsters.values()) == 1
    return piece.kind if is_only_one else Text("name/numbered", (piece.kind, piece.number))


def leading_to(table: FirstEditionTable, figure: str | Text, space: SpaceId, value: T) -> Option[T]:
    """Return the option to lead a figure into a space."""
    text = Text("choice/lead_to", (figure, name(table, space)))
    return Option(value, text, (at_space(space),), "move")


def of_monster(
    table: FirstEditionTable, monster: MonsterId, subject: str = "choice/monster"
) -> Option[MonsterId]:
    """Return the option to choose a monster."""
    return Option(monster, Text(subject, (monster_name(table, monster),)), (at_monster(monster),))


def at_room(room: RoomId) -> Point:
    return Point("room", room)


def at_space(space: SpaceId) -> Point:
    return Point("space", space)


def at_item(piece: PieceId) -> Point:
    return Point("possession", piece)


def at_feature(feature: FeatureId) -> Point:
    return Point("feature", feature)


def at_monster(monster: MonsterId) -> Point:
    return Point("monster", monster)


def at_investigator(who: str) -> Point:
    return Point("investigator", who)
