"""Range and line of sight: K-COMBAT-7 to K-COMBAT-9, K-DECIDE-53 and K-DECIDE-54."""

import pytest

from content.games.first_edition.schema.story import LaidTile
from protocol.boards.links import Link
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import FeatureKind
from server.games.first_edition.rules import adjacency
from tests.games.first_edition.rules.worlds import ADA, MAN, RAT, world

rule = pytest.mark.rule

CELLAR = """
+-----+-----+-----+
|     :     |     |
|  a  :  b  |  e  |
|     :     |     |
+--.--X-----+--=--+
|     |     :     |
|  c  |  d  :  f  |
|     |     :     |
+-----+-----+-----+
"""


def cellar(*links: Link) -> FirstEditionTable:
    """Return the table of a cellar of six spaces in one room."""
    rooms = dict.fromkeys("abcdef", "room/hall")
    tile = LaidTile("house", 0, 0, CELLAR.strip("\n"), rooms)
    return world(story={"tiles": (tile,)}, links=links).game_table


@rule("K-DECIDE-53", "K-COMBAT-7")
@pytest.mark.parametrize(
    ("one", "other", "away"),
    [
        ("a", "a", 0),
        ("a", "b", 1),
        ("a", "c", 1),
        ("a", "d", 1),
        ("b", "c", 1),
        ("c", "d", 2),
        ("a", "f", 2),
        ("c", "f", 3),
        ("a", "e", None),
        ("e", "f", None),
    ],
)
def test_range_is_counted_over_open_lines_and_diagonals(
    one: str, other: str, away: int | None
) -> None:
    table = cellar()

    assert adjacency.distance(table, f"house/{one}", f"house/{other}") == away
    assert adjacency.distance(table, f"house/{other}", f"house/{one}") == away


@rule("K-DECIDE-53", "K-DECIDE-86")
@pytest.mark.parametrize("kind", ["ladder", "duct"])
def test_links_count_for_no_range(kind: str) -> None:
    table = cellar(Link(kind, ("house/b", "house/e")))

    assert adjacency.distance(table, "house/b", "house/e") is None
    assert not adjacency.sees(table, "house/b", "house/e")


@rule("K-DECIDE-54", "K-COMBAT-8", "K-COMBAT-9")
@pytest.mark.parametrize(
    ("one", "other", "clear"),
    [
        ("a", "a", True),
        ("a", "b", True),
        ("a", "c", True),
        ("a", "d", True),
        ("b", "e", False),
        ("c", "d", False),
        ("e", "f", False),
        ("c", "f", False),
        ("d", "f", True),
    ],
)
def test_walls_and_doors_block_the_line_of_sight(
    one: str,
    other: str,
    clear: bool,
) -> None:
    table = cellar()

    assert adjacency.sees(table, f"house/{one}", f"house/{other}") is clear
    assert adjacency.sees(table, f"house/{other}", f"house/{one}") is clear


@rule("K-DECIDE-54")
def test_neither_figures_nor_markers_block_the_line_of_sight() -> None:
    hall = dict.fromkeys("abc", "room/hall")
    drawing = "+-----+-----+-----+\n|  a  :  b  :  c  |\n+-----+-----+-----+"
    bench = world(
        monsters_at=[(RAT, "house/b"), (MAN, "house/b")],
        features=[(FeatureKind.ALTAR, "house/b"), (FeatureKind.DARKNESS, "room/hall")],
        story={"tiles": (LaidTile("house", 0, 0, drawing, hall),)},
    )

    assert adjacency.sees(bench.game_table, "house/a", "house/c")


@rule("K-DECIDE-54", "K-COMBAT-9")
@pytest.mark.parametrize("against", ["house/c", None])
def test_a_door_blocks_it_barricaded_or_not(against: str | None) -> None:
    bench = world(at={ADA: "house/b"}, features=[(FeatureKind.BARRICADE, "house/b")])
    bench.emit(fe.BarricadeSet("f1", against))

    assert not adjacency.sees(bench.game_table, "house/b", "house/c")
