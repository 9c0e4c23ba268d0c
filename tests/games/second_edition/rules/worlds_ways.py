"""Worlds with doors, passages and Barricades: three rooms in a row."""

from typing import Any

from content.games.second_edition.schema.effects import PlaceFeature
from protocol.games.second_edition.table import Feature, FeatureKind
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import tile, world
from tests.games.second_edition.rules.worlds_effects import resolve

BARRICADE, PASSAGE = FeatureKind.BARRICADE, FeatureKind.SECRET_PASSAGE

ROOMS = """
+---+---+---+
| a 1 b 2 c |
+---+---+---+
"""
"""A hall, a study and an attic, with a door between each and the next."""
ROOM_OF = {"a": "room/hall", "b": "room/study", "c": "room/attic"}

CELLS = """
+---+---+---+---+
| a | b | c | d |
+---+---+---+---+
"""
"""Four rooms without a door."""
CELL_OF = {"a": "room/hall", "b": "room/study", "c": "room/attic", "d": "room/cellar"}


def rooms(**parts: Any) -> Bench:
    return world(tiles=[tile(ROOMS, ROOM_OF)], **parts)


def cells(*passages: str, **parts: Any) -> Bench:
    """Return a bench with four rooms without doors, some with Secret Passages."""
    bench = world(tiles=[tile(CELLS, CELL_OF)], **parts)
    for space in passages:
        resolve(bench, PlaceFeature(PASSAGE, f"house/{space}"))
    return bench


def barricade(bench: Bench, space: str, against: str | None = None) -> None:
    resolve(bench, PlaceFeature(BARRICADE, f"house/{space}", against))


def barricades(bench: Bench) -> list[Feature]:
    return [f for f in bench.game_table.features.values() if f.kind is BARRICADE]


def against(bench: Bench) -> list[str | None]:
    """Return what each Barricade blocks, None for a free one."""
    return [one.against for one in barricades(bench)]
