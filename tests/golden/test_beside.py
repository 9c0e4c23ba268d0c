"""A game in version 4 of logs in which one seat decides beside others, as it was first written."""

import functools
from pathlib import Path

import pytest

import tests.kit.tables.toy_table  # noqa: F401 (its kinds)
from protocol.archive import Archive, load
from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.table import Stage
from protocol.event import Record
from protocol.validity import judge
from tests.verifying.logs import types, verifier

GAME = Path(__file__).parent / "beside" / "toy.manse"

pytestmark = pytest.mark.issue(39)


@functools.cache
def game() -> Archive:
    """Return the kept game, read once for all tests."""
    return load(GAME.read_bytes())


def settling() -> list[tuple[events.Asked, list[Record]]]:
    """Return each question beside others, with the records up to the end of it."""
    found: list[tuple[events.Asked, list[Record]]] = []
    is_open = False
    for record in game().records:
        if isinstance(record.event, events.Asked):
            is_open = record.event.settle is Settle.BESIDE
            if is_open:
                found.append((record.event, []))
        elif is_open:
            found[-1][1].append(record)
            is_open = not isinstance(record.event, events.Settled)
    return found


def test_both_verifiers_accept_it() -> None:
    assert judge(game()).room.stage is Stage.OVER
    verifier().verify(GAME.read_bytes(), types())


def test_it_has_every_way_in_which_such_a_question_is_settled() -> None:
    ways = set()
    for asked, records in settling():
        for record in records:
            if isinstance(record.event, events.Answered):
                ways.add("decided" if record.origin == asked.decides else "interrupted")
            else:
                ways.add(record.event.tag)

    assert ways >= {"decided", "interrupted", "timed_out", "presence_changed", "settled"}


def test_who_holds_nothing_was_asked_all_the_same() -> None:
    counts = {
        len(question.value.choices)
        for asked, _ in settling()
        for seat, question in asked.questions.items()
        if seat != asked.decides
    }

    assert counts == {0, 1}
