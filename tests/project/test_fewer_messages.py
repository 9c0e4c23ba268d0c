"""Workers of a test run send the reports that tell something."""

from typing import Any

import pytest

from tests.kit.fewer_messages import SLOW, FewerMessages


def _is_sent(name: str, **report: object) -> bool:
    sent: list[str] = []

    def send(name: str, **_: Any) -> None:
        sent.append(name)

    usual = {"when": "teardown", "outcome": "passed", "duration": 0.0}
    FewerMessages(send)(name, data=usual | report)
    return bool(sent)


@pytest.mark.parametrize("outcome", ["passed", "failed", "skipped"])
def test_every_report_of_a_test_itself_is_sent(outcome: str) -> None:
    assert _is_sent("testreport", when="call", outcome=outcome)


@pytest.mark.parametrize("when", ["setup", "teardown"])
def test_a_set_up_or_clean_up_is_reported_unless_it_passed_at_once(when: str) -> None:
    assert not _is_sent("testreport", when=when)
    assert _is_sent("testreport", when=when, outcome="failed")
    assert _is_sent("testreport", when=when, outcome="skipped")
    assert _is_sent("testreport", when=when, duration=SLOW)


def test_that_a_test_is_over_is_sent() -> None:
    assert _is_sent("runtest_protocol_complete")
