"""
Planted leaks are found, each at a stated rate.

The rate is the share of the pairs in which the leak can show at all: what `tests.twins.rates`
measures. What is demanded is about half of what was measured when it was written.
"""

import pytest

from tests.twins.faults import LEAKS
from tests.twins.rates import found

RATES: dict[str, float] = {}
"""At what share of its pairs a leak is found at least."""

QUICK = ()
"""Those that are found in their first games, so that every run can afford them."""


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_leak_is_found(name: str) -> None:
    """In one of the pairs of its first game."""
    assert any(found(LEAKS[name], slice(1)))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(LEAKS))
def test_a_planted_leak_is_found_at_the_stated_rate(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of all the pairs in which it can show."""
    results = list(found(LEAKS[name], twins=2))

    share = sum(results) / len(results)
    with capsys.disabled():
        print(f"\n{name}: {sum(results)} of {len(results)} pairs, {share:.1%}")  # noqa: T201  # told
    assert share >= RATES[name]


def test_every_leak_has_a_rate() -> None:
    """At least fifteen are planted, and none is found too seldom to be called found."""
    assert RATES.keys() == LEAKS.keys()
    assert len(LEAKS) >= 15
    assert min(RATES.values()) >= 0.01
