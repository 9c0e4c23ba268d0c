"""Timers: one time for several questions, on the log, and what the rules see of it."""

from typing import Any

import pytest

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.table import OpenTimer, Settings
from protocol.common.text import Text
from protocol.event import CLOCK
from server.kernel.asks import Ask, Option, Prompt
from server.kernel.timers import MAX_UNASKED, Timer
from tests.kit.tables.playing import Recording, begin
from tests.kit.tables.toy_table import RIDDLE_SECONDS, Content, Scored, a_deck

pytestmark = pytest.mark.issue(39)

RIDDLE = "TOY-22"


def riddled(settings: Settings | None = None) -> Recording:
    """Return a game in which the first piece, whose seat is present, must guess the weather."""
    recording = begin(2, Content(deck=a_deck("riddle")), settings=settings)
    recording.give(events.PresenceChanged(0, is_present=True), 0)
    recording.answer(0, "peek")
    recording.answer(0, recording.game.hand("bear")[0])
    return recording


def guess(recording: Recording, *, is_right: bool, after: int = 1000) -> None:
    """Guess the weather `after` milliseconds after the last record."""
    recording.time = recording.room.last_time + after - 1000
    recording.answer(0, recording.game.weather if is_right else "toy/pass")


def time_out(recording: Recording, after: int) -> None:
    """Let time run out `after` milliseconds after the last record."""
    out = events.TimedOut(recording.ask.ask_id)
    recording.time = recording.room.last_time + after
    recording.give(out, CLOCK, time=recording.time)


def test_a_timer_stands_on_the_log_around_its_questions() -> None:
    recording = riddled()
    name = Text("toy/riddle")
    assert recording.table.room.timer == OpenTimer(0, name, RIDDLE_SECONDS)

    guess(recording, is_right=False)
    guess(recording, is_right=True)

    asked = [one.timer for one in recording.happened(events.Asked) if one.rule == RIDDLE]
    assert asked == [0, 0]
    assert {one.timer for one in recording.happened(events.Asked) if one.rule != RIDDLE} == {-1}
    around = recording.happened(events.TimerOpened, events.TimerClosed)
    assert around == [events.TimerOpened(0, name, RIDDLE_SECONDS), events.TimerClosed(0)]
    assert recording.happened(Scored)[-1] == Scored("bear", 2)


def test_its_time_out_ends_the_block_with_the_default() -> None:
    recording = riddled()
    guess(recording, is_right=False, after=20_000)

    time_out(recording, 40_000)

    assert recording.happened(Scored) == []
    assert recording.happened(events.TimerClosed) == [events.TimerClosed(0)]
    assert recording.ask.rule == "TOY-2"


def test_the_limit_of_the_table_holds_for_each_question() -> None:
    """It ends a question, not the time of all of them."""
    recording = riddled(Settings(time_limit_seconds=20))
    time_out(recording, 20_000)

    assert (recording.ask.rule, recording.ask.timer) == (RIDDLE, 0)


def test_no_time_runs_while_nobody_is_here() -> None:
    recording = riddled(Settings(time_limit_seconds=600))
    here, away = (events.PresenceChanged(0, is_present=is_here) for is_here in (True, False))
    recording.give(away, 0)
    recording.give(here, 0, time=recording.room.last_time + 50_000)
    recording.time = recording.room.last_time

    time_out(recording, 20_000)

    # By the limit of the table, as far as the rules can tell: the timer has time left.
    assert recording.ask.rule == RIDDLE


@pytest.mark.parametrize("guesses", [0, 1])
@pytest.mark.parametrize("is_over", [False, True])
def test_a_room_comes_back_with_its_timer(guesses: int, *, is_over: bool) -> None:
    recording = riddled()
    for _ in range(guesses):
        guess(recording, is_right=False)
    if is_over:
        time_out(recording, RIDDLE_SECONDS * 1000)
    before = recording.table

    recording.restart()

    assert recording.room.halted is None
    assert recording.table == before
    if not is_over:
        time_out(recording, RIDDLE_SECONDS * 1000)
        assert recording.ask.rule == "TOY-2"


def test_going_back_drops_the_timer() -> None:
    recording = riddled()
    checkpoint = max(recording.table.checkpoints)

    recording.propose_back(0, checkpoint)
    recording.consent(1)

    assert recording.table.room.timer is None
    assert recording.ask.rule == "TOY-2"


def test_an_abandoned_rule_writes_no_end_of_its_timer() -> None:
    recording = riddled()

    recording.give(events.OperatorClosed(b"over"), -3)

    assert recording.happened(events.TimerClosed) == []
    assert recording.table.room.timer is None


def test_a_seat_in_new_hands_is_asked_under_the_same_timer() -> None:
    recording = riddled()

    first = recording.ask.ask_id

    recording.propose_gift(1, 0, b"z" * 32)

    assert (recording.ask.ask_id, recording.ask.timer) == (first + 1, 0)


@pytest.mark.parametrize(
    ("settle", "seats"),
    [(Settle.EACH, (0, 1)), (Settle.ANY_ONE, (0,)), (Settle.AGREE, (0, 1))],
)
def test_a_question_for_which_there_is_no_time_takes_its_default(
    settle: Settle, seats: tuple[int, ...]
) -> None:
    prompt = Prompt(Text("x"), (Option("a", Text("a")), Option("b", Text("b"))), default=(1,))
    ask: Ask[Any] = Ask("X", Text("x"), {0: prompt, 1: prompt}, settle, (("bear", 0),))

    assert ask.defaults() == dict.fromkeys(seats, ("b",))


def test_a_rule_that_asks_on_without_end_is_stopped() -> None:
    timer = Timer(is_over=True)
    for _ in range(MAX_UNASKED):
        timer.count_unasked()

    with pytest.raises(RuntimeError, match="asks on"):
        timer.count_unasked()
