"""The coverage-guided search: it finds what chance does not, and all it begins from is sound."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.protocol.fuzz import MISSING, _planted
from tests.protocol.readers import READERS, mutated

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.issue(13)


def searched(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Search as `make fuzz` does, in a folder of its own."""
    pytest.importorskip("atheris", reason=MISSING)
    return subprocess.run(
        [sys.executable, "-m", "tests.protocol.fuzz", *options],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.long
def test_the_search_finds_a_planted_fault(tmp_path: Path) -> None:
    """And writes the input down that led there."""
    found = searched(tmp_path, "--seconds", "300", "--plant")

    (crash,) = tmp_path.glob("fuzz-crash-*")
    assert found.returncode not in (0, 2)
    with pytest.raises(KeyError):
        _planted(crash.read_bytes()[1:])


@pytest.mark.long
def test_the_search_finds_nothing_in_a_minute(tmp_path: Path) -> None:
    """`make fuzz SECONDS=86400` looks longer."""
    found = searched(tmp_path, "--seconds", "60")

    assert (found.returncode, list(tmp_path.iterdir())) == (0, []), found.stderr[-4000:]


def test_chance_alone_does_not_find_it() -> None:
    """In as many tries as the search needs, give or take: that is what being guided is for."""
    dice = random.Random(1)
    begun = [data for reader in READERS.values() for data in reader.begin()]
    for _ in range(30_000):
        _planted(mutated(dice.choice(begun)[:400], dice))


def test_without_the_library_the_search_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """And ends with status 2: nothing was searched."""
    from tests.protocol import fuzz  # noqa: PLC0415 (beside what is taken away below)

    monkeypatch.setitem(sys.modules, "atheris", None)

    assert fuzz.main([]) == 2
