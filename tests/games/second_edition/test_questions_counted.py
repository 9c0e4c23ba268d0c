"""Number of questions per round beside one's own turns; `costs.json` has the accepted numbers."""

from typing import Any, Final

import pytest

from client.bots.brains import SENSIBLE
from protocol.common.asks import Question
from protocol.common.table import LOG_VERSION, Stage
from server.kernel.game import Game
from tests.games.second_edition.simulate import core, simulate
from tests.project.test_costs import accepted, grown

SEATS: Final = 3
"""Number of seats at the tables whose questions are counted."""
SCENARIOS: Final = 2
"""Number of scenarios that are played, the first ones of the pack."""


def by_script(question: Question, _: object) -> tuple[str, ...]:
    """Answer with the default, as if every question timed out."""
    return question.row_default


def questions_of_games(**answering: Any) -> dict[str, float]:
    """Play games; return the average questions to seats per round outside their turns.

    Prompts are questions that wait for the seat's answer, and votes are counted among them. The
    choice of whose turn is next belongs to the turns.
    """
    rounds, prompts, votes = 0, 0, 0
    for scenario in [*core().scenarios][:SCENARIOS]:
        game = simulate(SEATS, SEATS, **answering)
        game.scenario = scenario
        game.open()
        last = -1
        while game.room.table.room.stage is not Stage.OVER:
            ask = game.room.table.room.ask
            assert ask is not None
            if ask.ask_id != last and ask.rule != "ROUND-3":
                active = game.game.active
                own = () if active is None else game.room.table.seats_of(active)
                others = [
                    seat
                    for seat, asked in ask.questions.items()
                    if seat not in own and not asked.value.may_wait
                ]
                prompts += len(others)
                votes += len(others) if ask.settle.is_vote else 0
            last = ask.ask_id
            game.step()
        rounds += game.game.round_number
    return {"prompts_round": round(prompts / rounds, 2), "votes_round": round(votes / rounds, 2)}


@pytest.mark.issue(38)
def test_a_round_asks_no_more_than_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """One kind of bot plays sensibly, the other takes every default. The newest rules apply."""
    # Rooms without signatures are of an earlier version; the rules alone are those of today.
    monkeypatch.setattr(Game, "version", LOG_VERSION)
    numbers = {
        "bots": questions_of_games(brain=SENSIBLE),
        "script": questions_of_games(policy=by_script),
    }

    held = accepted("questions", numbers)

    assert {name: grown(one, held[name]) for name, one in numbers.items()} == {
        "bots": {},
        "script": {},
    }
