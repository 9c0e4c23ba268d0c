"""Tiles that replace one another in one place of the board."""

import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.maps import whole_map
from tests.games.second_edition.content.packs import FILES, edited, load, mistakes_in

CELLAR = "scenarios/cellar.yaml"
FLOOD = """\
  - id: flood
    row: 0
    column: 10
{turns}    rooms: {{d: room/cellar}}
    drawing: |
      +-----+
      =     |
      =  d  |
      |     |
      +-----+
codes:
"""


def with_flood(turns: str) -> dict[str, bytes]:
    """Return the tiny pack with a second tile in the place of its cellar."""
    files = edited(CELLAR, "codes:\n", FLOOD.format(turns=turns))
    step = "          - place_tile: cellar\n"
    both = step.replace("cellar", "flood") + step
    return {**files, CELLAR: files[CELLAR].decode().replace(step, both).encode()}


def test_two_tiles_can_lie_in_one_place_by_turns() -> None:
    pack = load(with_flood("    instead_of: cellar\n"))

    board = whole_map(pack.scenarios["tiny/cellar"])
    beyond = [edge.across("hall/b") for edge in board.edges_of("hall/b") if edge.door == "hall/1"]

    assert {"cellar/c", "flood/d"} <= board.rooms.keys()
    assert sorted(beyond) == ["cellar/c", "flood/d"]
    assert not [finding for finding in lint(pack) if "way leads" in str(finding)]


@pytest.mark.parametrize("turns", ["", "    instead_of: hall\n"])
def test_overlapping_tiles_that_take_no_turns_are_refused(turns: str) -> None:
    told = [str(mistake) for mistake in mistakes_in(with_flood(turns))]

    assert len(told) == 1
    assert "write 'instead_of: cellar'" in told[0]


def test_it_names_a_tile() -> None:
    told = [str(mistake) for mistake in mistakes_in(with_flood("    instead_of: celar\n"))]

    assert any("did you mean 'cellar'" in mistake for mistake in told)


def test_the_tiny_pack_is_one_layout() -> None:
    pack = load(FILES)

    assert len(whole_map(pack.scenarios["tiny/cellar"]).rooms) == 3
