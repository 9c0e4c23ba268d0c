"""End of a turn: how it is offered, and when a time-out takes it."""

from typing import Any

import pytest

from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.text import Text
from protocol.games.second_edition.table import TokenKind
from server.games.second_edition.rules import turn
from server.rulekit.offers import RISK
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, begin_turn, world

pytestmark = pytest.mark.rule("TURN-3")


def end_of(bench: Bench) -> Any:
    """Return the last option, the default, and the number of options."""
    assert bench.open is not None
    (prompt,) = bench.open.prompts.values()
    return prompt.options[-1], prompt.default, len(prompt.options)


def test_the_end_of_a_turn_says_how_many_actions_are_lost() -> None:
    """The option is listed last, and a time-out takes it."""
    bench = world()

    bench.run(turn.take_action(bench.game), ...)

    option, default, count = end_of(bench)
    assert option.text == Text("choice/end_turn", (2,), "losing")
    assert option.group == RISK
    assert default == (count - 1,)


def test_the_end_of_a_turn_without_actions_left_costs_nothing() -> None:
    portrait = TokenCard(
        "token/portrait", TokenKind.SIGHT, "house/a", (TokenOption("text/look", ()),)
    )
    bench = world(tokens=[portrait])
    begin_turn(bench, ADA, 0)

    bench.run(turn.take_action(bench.game), ...)

    option, _, _ = end_of(bench)
    assert option.text == Text("choice/end_turn")
    assert option.group == "rest"
