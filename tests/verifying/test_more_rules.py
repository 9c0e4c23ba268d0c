"""Laws of the game that no type can express: they are checked after the rules of all logs."""

import lzma
from pathlib import Path

import pytest

from client.commands.verify import check
from protocol import codec
from protocol.archive import BadArchive, load
from protocol.boards.maps import MAX_COLUMN, MAX_ROW
from tests.verifying.files import File, taken_apart
from tests.verifying.logs import types, verifier
from tests.verifying.test_hands import verdicts

pytestmark = pytest.mark.issue(36)

GOLDEN = Path(__file__).parents[1] / "golden" / "conditions" / "two-sided.manse.xz"
OTHER = "condition/insane-another"


def game() -> File:
    """Return a whole game in which an investigator became insane."""
    return taken_apart(lzma.decompress(GOLDEN.read_bytes()))


def places(file: File, tag: str) -> list[int]:
    """Return where records of a kind stand."""
    return [at for at, line in enumerate(file.lines) if line.tag == tag]


def found(file: File) -> int | None:
    """Return where `manse verify` refuses a file in which `verify.py` finds no fault."""
    data = file.committed_anew().sealed()
    verifier().verify(data, types())
    with pytest.raises(BadArchive) as wrong:
        check(data)
    return wrong.value.sequence


def turned(file: File) -> tuple[int, int]:
    """Change the back that somebody has, and shows later; return both places."""
    shown = places(file, "se/back_shown")[0]
    disclosed = file.lines[shown].fields[1]
    insane = disclosed[0]
    [[slot, opening]] = file.lines[insane].openings
    assert (file.lines[insane].tag, slot) == ("se/became_insane", disclosed[1])
    opening[1] = disclosed[3] = codec.pack(OTHER)
    return insane, shown


@pytest.mark.parametrize("is_named", [True, False])
def test_another_back_is_found_where_the_card_was_drawn(*, is_named: bool) -> None:
    file = game()
    insane, shown = turned(file)
    if is_named:
        file.lines[shown].fields[2] = OTHER

    assert found(file) == insane


def test_a_back_that_is_not_the_one_disclosed_is_found_where_it_is_named() -> None:
    file = game()
    [*_, at] = places(file, "se/back_shown")
    file.lines[at].fields[2] = OTHER

    assert found(file) == at
    with pytest.raises(BadArchive, match="not the one disclosed"):
        load(file.sealed())


def test_a_tile_that_cannot_be_read_is_a_law_of_the_game() -> None:
    file = game()
    at = places(file, "se/tile_placed")[0]
    file.lines[at].fields[0][3][0] += "?"

    assert found(file) == at
    with pytest.raises(BadArchive):
        load(file.sealed())


@pytest.mark.parametrize(("part", "most"), [(1, MAX_ROW), (2, MAX_COLUMN)])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_tile_too_far_off_is_refused_on_reading_by_both(part: int, most: int, sign: int) -> None:
    file = game()
    at = places(file, "se/tile_placed")[0]
    file.lines[at].fields[0][part] = sign * most
    assert verdicts(file) == (None, None)

    file.lines[at].fields[0][part] = sign * (most + 1)
    assert verdicts(file) == (at, at)
