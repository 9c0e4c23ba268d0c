"""A rule that fails on the held answer of who decides beside others."""

from typing import Any

import pytest

from protocol import messages
from server.kernel.rule_runner import RuleRunner
from tests.games.toy.test_beside import LEAST, at_feud

pytestmark = pytest.mark.issue(39)


def test_a_rule_that_fails_on_a_held_answer_undoes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The answer is dropped, everybody is told of a report, and who decides can choose again."""
    table = at_feud()
    left, settle = [1], RuleRunner._settle

    def failing(self: RuleRunner, writer: Any, by_seat: Any) -> Any:
        if writer.recorded is None and left:
            left.pop()
            raise RuntimeError("boom")
        return settle(self, writer, by_seat)

    monkeypatch.setattr(RuleRunner, "_settle", failing)
    ask_id = table.ask.ask_id
    table.decide(2)
    table.house.settle(LEAST + 1)

    assert not left
    assert (table.room.is_paused, table.ask.ask_id) == (False, ask_id)
    told = [client.session.last(messages.Notice) for client in (table.ann, table.ben)]
    assert {notice.code for notice in told} == {"answer/dropped"}
    assert all(notice.report for notice in told)
    assert table.ann.model.held_picks is None
    table.decide(2)
    table.house.settle(LEAST + 1)
    assert not table.is_open
