"""Twins of random games: a deck is known to its owner alone, whatever is played."""

from typing import Any

import pytest

from tests.games.cards.twins.courses import BOXES, told_apart
from tests.games.cards.twins.test_leaks import LEAKS

pytestmark = [pytest.mark.issue(42), pytest.mark.long]
rule = pytest.mark.rule
INPUTS, PAIRS = 120, 6
WAYS: dict[str, dict[str, Any]] = {"who can": {}, "strict": {"strict_windows": True}}
PLANTED = {
    "a_card_keeps_its_handle_in_the_hand": {},
    "a_window_says_how_many_options_there_are": {},
    "strict_windows_ask_who_can": WAYS["strict"],
}
"""Planted leaks that random games find, by the settings of the table."""
TRIES = 12
"""Random games among which one finds a planted leak."""


@rule("C-SECRET-1", "C-SECRET-3", "C-SECRET-31", "C-DECIDE-6", "C-DECIDE-52")
@pytest.mark.parametrize("windows", WAYS)
@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("seed", range(6))
def test_a_deck_in_another_order_is_told_to_nobody(seed: int, box: str, windows: str) -> None:
    assert told_apart(seed, PAIRS, INPUTS, box, **WAYS[windows]) == []


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_leak_is_found_by_random_games(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    LEAKS[name].plant(monkeypatch)

    assert any(told_apart(seed, PAIRS, INPUTS, **PLANTED[name]) for seed in range(TRIES))
