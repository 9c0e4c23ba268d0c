"""Decides which series of samples from a server grow."""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

LEAST: Final = 6
"""The minimum number of samples for a verdict."""

Sample = Mapping[str, float]


@attrs.frozen
class Allowance:
    """The permitted growth of a series from its middle to its end."""

    share: float
    """Allowed growth, as a fraction of the value in the middle of the run."""
    beside: float
    """Further allowed growth, in the unit of the series."""
    by_game: float = 0.0
    """
    Further allowed growth for each finished game, whose summary stays in memory; in the unit of the
    series.
    """


ALLOWED: Final[Mapping[str, Allowance]] = {
    "descriptors": Allowance(0.0, 8),
    "threads": Allowance(0.0, 1),
    "delayed_calls": Allowance(0.1, 20),
    "objects": Allowance(0.03, 2000, by_game=4),
    "memory_kib": Allowance(0.01, 512, by_game=4),
}
"""Allowances by the name of a series."""
GAMES: Final = "finished_games"


@attrs.frozen
class Growth:
    """A series that is not flat."""

    name: str
    middle: float
    end: float
    allowed: float
    """The largest final value that counts as flat."""

    def __str__(self) -> str:
        return (
            f"{self.name} grew from {self.middle:.0f} to {self.end:.0f}, "
            f"where {self.allowed:.0f} would be flat"
        )


def growths(samples: Sequence[Sample]) -> Iterator[Growth]:
    """
    Yield the series that grow after the warm-up.

    The first third of the samples is the warm-up. The median of the last third is compared with the
    median of the middle third, so that no single sample decides.

    Args:
        samples: the samples in order, each with every series.

    Raises:
        ValueError: there are too few samples for a verdict.
    """
    if len(samples) < LEAST:
        raise ValueError(f"{len(samples)} samples are too few; {LEAST} tell something")
    third = len(samples) // 3
    middle, end = samples[third : 2 * third], samples[2 * third :]
    games = _median(end, GAMES) - _median(middle, GAMES)
    for name, allowance in ALLOWED.items():
        before, after = _median(middle, name), _median(end, name)
        allowed = before * (1 + allowance.share) + allowance.beside + allowance.by_game * games
        if after > allowed:
            yield Growth(name, before, after, allowed)


def _median(samples: Sequence[Sample], name: str) -> float:
    return statistics.median(sample[name] for sample in samples)
