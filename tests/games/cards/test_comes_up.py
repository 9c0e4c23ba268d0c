"""What of the vocabulary comes up in games of the test house, played by the curious."""

import itertools

import pytest

from protocol.archive import load
from protocol.audit import audit
from tests.games.cards.coverage import Tally, expected, noting
from tests.games.cards.house_pack import house
from tests.games.cards.random_games import play
from tests.games.cards.simulate import Curious
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(42)

MOST = 30
"""Games in which everything must have come up; they end once it has, mostly after ten."""
SCENARIOS = (
    *("house/fair", "house/evening", "house/fair", "house/apart", "house/fair", "house/grid"),
)
"""Scenarios of the games in turn; the fair offers most."""


def came_up(wanted: frozenset[str]) -> frozenset[str]:
    """Return what came up in games, until all that is wanted has."""
    tally, curious = Tally(), Curious()
    found: frozenset[str] = frozenset()
    for number, scenario in enumerate(itertools.islice(itertools.cycle(SCENARIOS), MOST)):
        with noting(tally):
            played = play(4 * number + 3, house(), scenario=scenario, policy=curious.answer)
        assert not played.faults, f"{scenario}, game {number}: {played.faults}"
        assert audit(load(file_of(played.game.room))).is_finished, f"{scenario}, game {number}"
        found = frozenset(name for name, times in tally.items() if times)
        if wanted <= found:
            break
    return found


@pytest.mark.long
def test_everything_of_the_vocabulary_comes_up() -> None:
    wanted = frozenset(expected())

    assert sorted(wanted - came_up(wanted)) == []
