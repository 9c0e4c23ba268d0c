"""A kept log: a game of the toy with every way to settle a question.

The kernel wrote `kept/questions.manse.xz` when `asked/2`, `passed`, `passed_standing`,
`standing_set`, `voted/2` and `votes_shown` were new. The file is never made again: later readers
must say the same of it.
"""

from collections import Counter

import pytest

from protocol.archive import load
from protocol.common import events as on
from protocol.common.asks import Audience, Settle
from protocol.common.table import Stage
from protocol.validity import judge
from tests.verifying.kept_logs import kept
from tests.verifying.logs import types, verifier

KEPT = kept("questions")
HEAD = "268b033e0ed6007c7bb45f567d907920e0c51cfc1440c5a3008970879bcd03d6"

pytestmark = pytest.mark.issue(11)


def test_both_verifiers_accept_it() -> None:
    assert judge(load(KEPT)).room.stage is Stage.OVER
    assert verifier().verify(KEPT, types()).head.hex() == HEAD


def test_it_is_read_as_it_was_written() -> None:
    events = [record.event for record in load(KEPT).records]
    counts = Counter(event.tag for event in events)

    asked = {one.settle for one in events if isinstance(one, on.Asked)}
    assert asked == {*Settle} - {Settle.WINDOW, Settle.BESIDE}
    told = ("answered", "passed", "passed_standing", "standing_set", "timed_out", "lot_called")
    assert [counts[tag] for tag in told] == [43, 4, 1, 1, 5, 1]
    assert [counts[tag] for tag in ("voted/2", "votes_shown")] == [7, 1]


def test_its_questions_say_what_they_belong_to() -> None:
    asked = [r.event for r in load(KEPT).records if isinstance(r.event, on.Asked)]
    motion = next(one for one in asked if one.settle is Settle.UNLESS_OBJECTED)

    assert [text.subject for text in motion.within] == ["toy/turn", "toy/kind"]
    assert (motion.kind, motion.seconds) == ("toy/motion", 20)
    assert all(len(q.value.passing) == 1 for q in motion.questions.values())


def test_its_votes_and_rows_are_read() -> None:
    events = [record.event for record in load(KEPT).records]
    asked = [one for one in events if isinstance(one, on.Asked)]

    assert max(len(one.picks) for one in events if isinstance(one, on.Voted)) == 2
    assert any(one.audience is Audience.NOBODY for one in asked)
    assert any(q.value.then for one in asked for q in one.questions.values())
