"""Timers: how verifiers judge them."""

import pytest

from protocol.common import events
from protocol.common.table import Settings
from tests.kernel.test_timers import guess, riddled, time_out
from tests.kit.tables.playing import Recording
from tests.kit.tables.toy_table import RIDDLE_SECONDS
from tests.verifying.files import Line, taken_apart
from tests.verifying.logs import file_of, types, verifier
from tests.verifying.test_passing import verdict, verdict_of

pytestmark = pytest.mark.issue(39)

MS = RIDDLE_SECONDS * 1000


def test_a_timer_ends_the_question_that_is_open_when_its_time_is_over() -> None:
    recording = riddled()
    guess(recording, is_right=False, after=20_000)

    time_out(recording, MS - 20_000)

    assert verdict(recording) == ""
    verifier().verify(file_of(recording.room, seat=0), types())


def test_a_timer_is_not_over_before_its_time() -> None:
    recording = riddled()
    guess(recording, is_right=False, after=20_000)

    time_out(recording, MS - 20_001)

    assert "time is up before it is" in verdict(recording)


@pytest.mark.parametrize(("waited", "why"), [(19_999, "before it is"), (20_000, "")])
def test_the_limit_of_the_table_is_judged_within_a_timer(waited: int, why: str) -> None:
    recording = riddled(Settings(time_limit_seconds=20))

    time_out(recording, waited)

    assert (why in verdict(recording)) if why else verdict(recording) == ""


def test_no_time_of_a_timer_runs_while_nobody_is_here() -> None:
    early, late = riddled(), riddled()
    for recording, waited in ((early, MS - 1001), (late, MS - 1000)):
        began = recording.room.last_time
        recording.give(events.PresenceChanged(0, is_present=False), 0, time=began + 1000)
        recording.give(events.PresenceChanged(0, is_present=True), 0, time=began + 500_000)
        time_out(recording, waited)

    assert "before it is" in verdict(early)
    assert verdict(late) == ""


def test_a_pause_starts_a_timer_over() -> None:
    early, late = riddled(), riddled()
    for recording, waited in ((early, MS - 1), (late, MS)):
        guess(recording, is_right=False, after=20_000)
        recording.give(events.OperatorPaused(b"supper"), -3)
        recording.give(events.OperatorResumed(b"back"), -3)
        time_out(recording, waited)

    assert "before it is" in verdict(early)
    assert verdict(late) == ""


def forged(recording: Recording, *, asked: int | None = None, is_nested: bool = False) -> str:
    """Return the verdict on a log whose last question names another timer, or opens a second."""
    file = taken_apart(file_of(recording.room, seat=0))
    *_, at = file.of("asked")
    if asked is not None:
        file.lines[at].fields[-1] = asked
    if is_nested:
        _, time, origin, *_ = file.lines[at].public
        name = ["toy/riddle", [], "text"]
        file.lines.insert(at, Line([at, time, origin, "timer_opened", [1, name, 60], []], []))
    return verdict_of(file.renumbered().committed_anew().sealed())


def test_timers_do_not_nest_and_questions_name_the_open_one() -> None:
    recording = riddled()
    assert verdict(recording) == ""

    assert "another timer" in forged(recording, asked=-1)
    assert "another timer" in forged(recording, asked=1)
    assert "within another" in forged(recording, is_nested=True)
    solved = riddled()
    guess(solved, is_right=True)
    assert "another timer" in forged(solved, asked=0)


def test_only_the_clock_ends_it() -> None:
    recording = riddled()
    time_out(recording, MS)
    file = taken_apart(file_of(recording.room, seat=0))
    [at] = file.of("timed_out")
    file.lines[at].public[2] = 0

    assert "clock" in verdict_of(file.renumbered().committed_anew().sealed())
