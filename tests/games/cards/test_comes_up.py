"""What of the vocabulary comes up in games of the test house, played by the curious."""

import pytest

from tests.games.cards.coverage import Tally, expected, noting
from tests.games.cards.house_pack import house
from tests.games.cards.random_games import play
from tests.games.cards.simulate import Curious

pytestmark = pytest.mark.issue(42)

MOST = 10
"""Games in which everything must have come up; they end once it has."""
NOT_UP = frozenset(
    [
        "condition HandIs False",
        "condition HandIs True",
        "condition InPhase True",
        "condition IsDone False",
        "condition IsRemembered False",
        "condition IsRemembered True",
        "condition IsShown False",
        "condition IsShown True",
        "condition MarginIs False",
        "condition MarginIs True",
        "cost ActionsCost",
        "cost CluesCost",
        "cost DiscardCost",
        "cost GroupCluesCost",
        "cost ReleaseCost",
        "cost XCost",
        "modifier Connects",
        "modifier NoAction",
        "occurrence damage-dealt",
        "occurrence enemy-moves",
        "occurrence evaded",
        "occurrence explored",
        "occurrence game-ends",
        "step AnotherToken",
        "step AsIfThere",
        "step CancelToken",
        "step Defeat",
        "step EvadeNow",
        "step Exhaust",
        "step GiveTrauma",
        "step MoveHarm",
        "step Ready",
        "step Reveal",
        "step TakeOut",
    ]
)
"""What six games of some seeds do not reach yet. The list only gets shorter."""


def came_up(games: int, wanted: frozenset[str]) -> frozenset[str]:
    """Return what came up in games of four investigators, until all that is wanted has."""
    tally, curious, scenarios = Tally(), Curious(), [*house().scenarios]
    found: frozenset[str] = frozenset()
    for number in range(games):
        with noting(tally):
            scenario = scenarios[number % len(scenarios)]
            played = play(4 * number + 3, house(), scenario=scenario, policy=curious.answer)
        assert not played.faults, f"{scenario}, game {number}: {played.faults}"
        found = frozenset(name for name, times in tally.items() if times)
        if wanted <= found:
            break
    return found


def test_everything_of_the_vocabulary_comes_up() -> None:
    wanted = frozenset(expected()) - NOT_UP

    assert sorted(wanted - came_up(MOST, wanted)) == []


def test_what_does_not_come_up_is_something_of_the_vocabulary() -> None:
    assert sorted(NOT_UP - expected()) == []
