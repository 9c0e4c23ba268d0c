"""The fuzzer finds a planted fault that chance alone misses, and none in our parsers."""

from pathlib import Path
from typing import Final

import pytest

from protocol.common.text import MAX_RENDERED
from tests.fuzzing.guided import Coverage, Report, fuzz, outcome_of
from tests.fuzzing.planted import planted
from tests.fuzzing.targets import MOST_KEPT_BYTES, TARGETS, beginnings, coverage, keep, kept

pytestmark = pytest.mark.issue(13)

SEEDS: Final = ((8, 12_000), *(pytest.param(n, 50_000, marks=pytest.mark.long) for n in (1, 2)))
"""Seeds, each with a number of runs that is enough to find the fault."""
HERE: Final = str(Path(__file__).parent)


def _for_the_planted_fault(*, is_guided: bool, seed: int, runs: int) -> Report:
    return fuzz(planted, [bytes(4)], Coverage((HERE,)), seed=seed, runs=runs, is_guided=is_guided)


@pytest.mark.parametrize(("seed", "runs"), SEEDS)
def test_a_fault_behind_four_bytes_is_found_by_coverage(seed: int, runs: int) -> None:
    """Random inputs would need some billion runs."""
    report = _for_the_planted_fault(is_guided=True, seed=seed, runs=runs)

    (found,) = report.findings
    assert found.data.startswith(b"\x93\xc7\x2a\x51")
    assert isinstance(found.error, KeyError)


@pytest.mark.parametrize(("seed", "runs"), SEEDS)
def test_without_coverage_it_is_not_found_in_as_many_runs(seed: int, runs: int) -> None:
    assert not _for_the_planted_fault(is_guided=False, seed=seed, runs=runs).findings


def test_a_seed_tries_the_same_inputs() -> None:
    one, other = (fuzz(planted, [bytes(4)], Coverage((HERE,)), seed=5, runs=2000) for _ in range(2))

    assert one.kept == other.kept


@pytest.mark.parametrize("name", TARGETS)
def test_what_was_kept_is_refused_or_read(name: str) -> None:
    corpus = [*beginnings(name), *kept(name)]

    assert all(outcome_of(TARGETS[name], data) for data in corpus)
    assert sum(map(len, kept(name))) <= MOST_KEPT_BYTES


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_runs_find_nothing(name: str) -> None:
    """Each target runs briefly from its corpus; `make fuzz` runs for longer."""
    corpus = [*beginnings(name), *kept(name)]

    report = fuzz(TARGETS[name], corpus, coverage(), seed=1, runs=300)

    assert report.findings == ()
    assert report.reached > 10


def test_a_text_longer_than_it_may_be_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the first inputs is a text bomb, which only the rendering bound stops."""
    monkeypatch.setattr("tests.fuzzing.targets.MAX_RENDERED", MAX_RENDERED // 4)

    with pytest.raises(AssertionError):
        outcome_of(TARGETS["shown"], beginnings("shown")[-1])


def test_what_is_kept_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzzing.targets.CORPUS", tmp_path)

    keep("stream", [b"long", b"a", b"a"])

    assert kept("stream") == [b"a", b"long"]
