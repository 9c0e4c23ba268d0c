"""The rules by which a soak test decides what grows, on made-up series."""

import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.flatness import ALLOWED, GAMES, LEAST, growths

pytestmark = pytest.mark.issue(15)

USUAL = {
    "descriptors": 220.0,
    "threads": 3.0,
    "delayed_calls": 200.0,
    "objects": 200_000.0,
    "memory_kib": 120_000.0,
}


def series(name: str = "", grow: Callable[[int], float] = float) -> list[dict[str, float]]:
    """Return an hour of samples in which one series grows by the same amount each time."""
    return [
        {**USUAL, GAMES: float(at), **({name: USUAL[name] + grow(at)} if name else {})}
        for at in range(60)
    ]


def test_what_stays_is_flat() -> None:
    assert list(growths(series())) == []


@pytest.mark.parametrize(
    ("name", "a_minute"),
    [
        ("descriptors", 0.5),
        ("threads", 0.1),
        ("delayed_calls", 2.5),
        ("objects", 1000.0),
        ("memory_kib", 922.0),
    ],
)
def test_what_grows_by_the_minute_is_found(name: str, a_minute: float) -> None:
    found = list(growths(series(name, lambda at: a_minute * at)))

    assert [growth.name for growth in found] == [name]
    assert name in str(found[0])


@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_what_grows_while_it_warms_up_is_flat(name: str) -> None:
    """Caches may fill in the first third of a run."""
    assert list(growths(series(name, lambda at: USUAL[name] * min(at, 15) / 15))) == []


@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_one_sample_alone_decides_nothing(name: str) -> None:
    """A sample may be taken in the middle of a backup."""
    assert list(growths(series(name, lambda at: USUAL[name] if at == 57 else 0.0))) == []


def test_what_is_kept_of_finished_games_may_grow_with_their_number() -> None:
    """The server keeps a summary of each game."""
    samples = series("objects", lambda at: 50.0 * at * 10)
    for at, sample in enumerate(samples):
        sample[GAMES] = at * 200.0

    assert list(growths(samples)) == []
    for sample in samples:
        sample[GAMES] = 0.0
    assert [growth.name for growth in growths(samples)] == ["objects"]


def test_too_few_samples_say_nothing() -> None:
    with pytest.raises(ValueError, match="too few"):
        list(growths(list(itertools.islice(series(), 5))))


@pytest.mark.long
def test_a_real_server_is_soaked_for_a_moment(tmp_path: Path) -> None:
    path = tmp_path / "samples"
    arguments = ("--seconds", "1", "--tables", "1", "--rate", "10", "--every", "0.25")

    done = subprocess.run(
        [sys.executable, "-m", "bench.soak", *arguments, "--json", str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode in {0, 1}, done.stderr
    assert "KiB" in done.stdout
    samples = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(samples) >= LEAST
    assert samples[-1]["answers"] > 0
    assert all(sample["descriptors"] > 3 for sample in samples)
