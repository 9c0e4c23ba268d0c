"""What an action costs, counted, so that no other load of the machine matters."""

from typing import Final

import pytest

from bench import cards
from protocol.games.cards.events import PeriodEnded
from protocol.games.cards.words import Until
from server.games.cards.rules import actions
from server.games.cards.rules.play import Play

pytestmark = pytest.mark.issue(42)

CARDS_AT_MOST: Final = {"records_action": 30, "answers_action": 4, "bytes_seat_event": 1.2}
"""Limits of the card game with four bots; bytes as a ratio to the second edition."""


def test_an_action_of_the_card_game_costs_few_records_answers_and_bytes() -> None:
    numbers = cards.count_cards()

    assert {name: most for name, most in CARDS_AT_MOST.items() if numbers[name] > most} == {}


@pytest.mark.long
def test_records_of_nothing_in_the_card_game_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a fault: each action ends with a record although nothing ends with it."""
    before = cards.count_cards(60)
    finish = actions.finish

    async def finish_twice(play: Play) -> None:
        await finish(play)
        play.emit(PeriodEnded((Until.ACTION.value,)))

    monkeypatch.setattr(actions, "finish", finish_twice)

    assert cards.count_cards(60)["records_action"] > before["records_action"]
