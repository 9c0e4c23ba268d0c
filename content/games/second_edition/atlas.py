"""
The atlas: the whole map of a scenario as a picture, with a legend.

The picture has every tile in its place and the letter of each space; where tiles take turns in one
place, there is a picture for each turn. The legend lists the map rooms, doors and tokens.
"""

from collections.abc import Iterator
from typing import Any

from content.games.second_edition.maps import layouts, whole_map
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Scenario
from content.language.boards import sketched
from protocol.boards.maps import Map


def pictures(scenario: Scenario) -> tuple[tuple[str, ...], ...]:
    """Return the pictures of the map, one per layout (`maps.layouts`), each as its lines."""
    return tuple(sketched(tiles) for tiles in layouts(scenario))


def legend(pack: Pack, scenario: Scenario, language: str = "en") -> Iterator[str]:
    """Yield the lines below the map: tiles with their rooms, doors, tokens, and the start."""
    board = whole_map(scenario)
    yield "Tiles and their spaces:"
    traits = {
        room.id: ", ".join([*(["outdoor"] if room.outdoor else []), *room.traits])
        for room in scenario.rooms
    }
    for tile in scenario.tiles:
        shared = "" if tile.of is None else f", {tile.of}"
        yield f"  {tile.id} (row {tile.row}, column {tile.column}{shared})"
        for letter, room in sorted(tile.rooms.items()):
            name = _name(pack, room, language)
            yield f"    {tile.id}/{letter:<3} {name}{f' ({traits[room]})' if traits[room] else ''}"
    yield "Doors:"
    for name, door in board.doors.items():
        beyond = " — ".join(door.sides) if len(door.sides) > 1 else f"{door.sides[0]} — nothing"
        yield f"  {name:<24} {beyond}"
    yield "Tokens:"
    for token in scenario.tokens:
        name = _name(pack, token.id, language)
        yield f"  {token.id:<32} {token.kind.value:<9} {token.at:<20} {name}"
    yield f"Investigators start in {scenario.start}."


def _name(pack: Pack, subject: str, language: str) -> str:
    return pack.catalogs.get(language, {}).get(subject, {}).get("name", subject)


def as_json(pack: Pack, scenario: Scenario, language: str = "en") -> dict[str, Any]:
    """Return the pictures and the legend as one JSON value."""
    board: Map = whole_map(scenario)
    return {
        "scenario": scenario.id,
        "pictures": [list(lines) for lines in pictures(scenario)],
        "start": scenario.start,
        "spaces": {
            space: {"room": room, "name": _name(pack, room, language)}
            for space, room in board.rooms.items()
        },
        "edges": [
            {"one": edge.one, "other": edge.other, "line": edge.line.value, "door": edge.door}
            for edge in board.edges
        ],
        "doors": {name: list(door.sides) for name, door in board.doors.items()},
        "tokens": [
            {
                "id": token.id,
                "kind": token.kind.value,
                "at": token.at,
                "name": _name(pack, token.id, language),
            }
            for token in scenario.tokens
        ],
    }
