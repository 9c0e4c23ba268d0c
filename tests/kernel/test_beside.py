"""A question with one who decides, and others who may interrupt."""

from typing import Any

import pytest

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.table import Proposal, Settings
from protocol.common.text import Text
from protocol.event import CLOCK, OPERATOR, hidden
from server.kernel.asks import Ask, Option, Prompt
from server.kernel.errors import Refused
from tests.kit.tables.playing import Policy, Recording, begin, play, refused
from tests.kit.tables.toy_table import Content, Scored, a_deck

pytestmark = pytest.mark.issue(39)

LEAST = 1000 * Settings().least_seconds
ALL_BRIGHT = ("omen/ash", "omen/bone", "omen/ash", "omen/bone", "omen/ash")
ALL_DARK = ("omen/crow", "omen/dust", "omen/elm", "omen/crow", "omen/dust")


def at_feud(
    omens: tuple[str, ...] = ALL_BRIGHT, settings: Settings | None = None, seats: int = 3
) -> Recording:
    """Return a game in which seat 0 has turned up a feud, with everybody present."""
    content = Content(deck=a_deck("feud"), omens=omens)
    recording = begin(seats, content, settings=settings)
    for seat in range(seats):
        recording.give(events.PresenceChanged(seat, is_present=True), seat)
    recording.answer(0, "peek")
    recording.answer(0, recording.game.hand("bear")[0])
    return recording


def decision(recording: Recording, at: int = 0) -> events.Answered:
    """Return the decision of seat 0 for the choice at this place."""
    pick = recording.question(0).choices[at].choice_id
    return events.Answered(0, recording.ask.ask_id, hidden((pick,)))


def code_at(recording: Recording, happened: Any, origin: int, after: int) -> str:
    """Return the code with which an input is refused `after` ms; empty if it is accepted."""
    try:
        recording.room.receive(happened, time=recording.room.last_time + after, origin=origin)
    except Refused as error:
        return error.code
    recording.room.commit()
    return ""


# What is asked and answered


def test_all_are_asked_at_once_whatever_they_hold() -> None:
    for omens, count in ((ALL_BRIGHT, 1), (ALL_DARK, 0)):
        recording = at_feud(omens)
        ask = recording.ask
        assert (ask.settle, ask.decides, tuple(ask.questions)) == (Settle.BESIDE, 0, (0, 1, 2))
        assert ask.waiting_for == (0,)
        for seat in (1, 2):
            question = recording.question(seat)
            assert len(question.choices) == count
            assert (question.at_least, question.at_most) == (0, 1)
            assert (question.default, question.passing) == ((), ())


def test_a_decision_is_held_and_counts_once_nobody_may_interrupt() -> None:
    recording = at_feud()
    table, log = recording.table, recording.log
    recording.room.hold(recording.ask.ask_id, 0, (recording.choice(0, "toy/stride", 1),))
    recording.room.hold(recording.ask.ask_id, 0, (recording.choice(0, "toy/stride", 2),))
    assert (recording.table, recording.log) == (table, log)

    held = recording.room.decision()
    assert held is not None
    assert code_at(recording, held, 0, LEAST - 1) == "answer/too_early"
    assert code_at(recording, held, 0, LEAST) == ""

    assert recording.happened(Scored)[-1] == Scored("bear", 2)
    assert recording.ask.rule == "TOY-2"


def test_an_interruption_counts_at_once_and_the_rule_asks_anew() -> None:
    recording = at_feud()
    first = recording.ask.ask_id
    recording.room.hold(first, 0, (recording.choice(0, "toy/stride", 1),))

    recording.answer(1, "toy/trip")

    assert recording.happened(Scored)[-1] == Scored("fox", 1)
    assert recording.ask.ask_id > first
    assert tuple(recording.ask.questions) == (0, 2)
    # What was held was the answer to another question.
    assert recording.room.decision() is None
    recording.decide(0, "toy/stride", 2)
    assert recording.happened(Scored)[-1] == Scored("bear", 2)


def test_what_cannot_be_said_beside_others_is_refused() -> None:
    recording = at_feud()
    ask_id = recording.ask.ask_id

    assert refused(recording, events.Answered(1, ask_id, hidden(())), 1) == "answer/wrong_number"
    assert refused(recording, events.Passed(1, ask_id), 1) == "answer/no_pass"
    for seat in (1, 2):
        with pytest.raises(Refused, match="answer/no_window"):
            recording.room.hold(ask_id, seat, (recording.choice(seat, "toy/trip"),))
    with pytest.raises(Refused, match="answer/not_offered"):
        recording.room.hold(ask_id, 0, ("9.9",))
    dark = at_feud(ALL_DARK)
    assert refused(dark, events.Answered(1, ask_id, hidden(("9.9",))), 1) == "answer/not_offered"


def test_a_time_out_takes_the_default_of_who_decides() -> None:
    recording = at_feud(settings=Settings(time_limit_seconds=60))

    recording.give(events.TimedOut(recording.ask.ask_id), CLOCK)

    assert recording.happened(Scored) == [Scored("bear", 1)]


def test_there_is_nothing_to_wait_for_where_bots_alone_may_interrupt() -> None:
    recording = at_feud(seats=2)
    recording.give(events.PresenceChanged(1, is_present=False), 1)
    number = recording.table.room.next_proposal_id
    gift = Proposal(number, "give_seat", 0, seat=1, name="Bot", key=b"b" * 32, is_bot=True)
    recording.give(events.Proposed(gift), 0)

    assert recording.table.room.seats[1].is_bot
    assert code_at(recording, decision(recording), 0, 0) == ""


# Whose time it is


@pytest.mark.parametrize("is_limit", [False, True])
def test_no_time_runs_while_somebody_who_may_interrupt_is_away(is_limit: bool) -> None:
    recording = at_feud(settings=Settings(time_limit_seconds=60))
    happened: Any = events.TimedOut(recording.ask.ask_id) if is_limit else decision(recording)
    origin, code = (CLOCK, "answer/voter_away") if is_limit else (0, "answer/too_early")
    time = recording.room.last_time
    recording.give(events.PresenceChanged(2, is_present=False), 2, time=time + LEAST - 500)

    assert code_at(recording, happened, origin, 10**6) == code
    time = recording.room.last_time + 10**6
    recording.give(events.PresenceChanged(2, is_present=True), 2, time=time)
    if not is_limit:
        assert code_at(recording, happened, origin, 499) == code
    assert code_at(recording, happened, origin, 60_000 if is_limit else 500) == ""


def test_the_one_who_decides_may_be_away() -> None:
    recording = at_feud()
    recording.give(events.PresenceChanged(0, is_present=False), 0, time=recording.room.last_time)

    assert code_at(recording, decision(recording), 0, LEAST) == ""


def test_time_runs_by_the_calendar_where_the_table_says_so() -> None:
    recording = at_feud(settings=Settings(time_limit_seconds=600, by_calendar=True))
    recording.give(events.PresenceChanged(2, is_present=False), 2, time=recording.room.last_time)

    assert code_at(recording, decision(recording), 0, LEAST - 1) == "answer/too_early"
    assert code_at(recording, decision(recording), 0, LEAST) == ""


def test_a_pause_begins_its_time_anew_and_keeps_what_is_held() -> None:
    recording = at_feud()
    recording.room.hold(recording.ask.ask_id, 0, (recording.choice(0, "toy/stride", 2),))
    recording.give(events.OperatorPaused(b"why"), OPERATOR, time=recording.room.last_time + LEAST)
    held = recording.room.decision()
    assert held is not None
    assert code_at(recording, held, 0, LEAST) == "table/paused_by_operator"
    recording.give(events.OperatorResumed(b"on"), OPERATOR, time=recording.room.last_time + LEAST)

    assert code_at(recording, held, 0, LEAST - 1) == "answer/too_early"
    assert code_at(recording, held, 0, LEAST) == ""


# Held answers that do not count


def test_going_back_drops_what_is_held() -> None:
    recording = at_feud()
    recording.room.hold(recording.ask.ask_id, 0, (recording.choice(0, "toy/stride", 2),))

    recording.propose_back(0, max(recording.table.checkpoints))
    for seat in (1, 2):
        recording.consent(seat)

    assert recording.room.decision() is None


def test_a_seat_in_new_hands_does_not_decide_as_its_last_owner() -> None:
    recording = at_feud()
    recording.room.hold(recording.ask.ask_id, 0, (recording.choice(0, "toy/stride", 2),))
    before = recording.ask.ask_id

    recording.propose_gift(1, 0, b"z" * 32)
    recording.consent(2)

    assert recording.table.room.seats[0].key == b"z" * 32
    assert recording.ask.ask_id == before + 1
    assert recording.room.decision() is None


def test_it_is_lost_with_the_process() -> None:
    recording = at_feud()
    recording.room.hold(recording.ask.ask_id, 0, (recording.choice(0, "toy/stride", 2),))
    before = recording.table

    recording.restart()

    assert recording.table == before
    assert recording.room.decision() is None


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_of_feuds_comes_back_from_its_log(seed: int) -> None:
    recording = play(at_feud(("omen/ash", "omen/crow", "omen/bone")), Policy(seed))
    before = recording.table

    recording.restart()

    assert recording.table == before


# Mistakes in a rule


def _put(prompts: Any, decides: int, settle: Settle = Settle.BESIDE) -> object:
    return Ask("X", Text("x"), prompts, settle, decides=decides)


def _option(value: int, *, ends: bool = False) -> Option[int]:
    return Option(value, Text("x"), ends=ends)


ONE = Prompt(Text("x"), (_option(1),))
MAYBE = Prompt(Text("x"), (_option(1),), at_least=0)


@pytest.mark.parametrize(
    ("prompts", "decides", "why"),
    [
        ({1: MAYBE}, 0, "does not ask the seat"),
        ({0: MAYBE, 1: MAYBE}, 0, "other than one thing"),
        ({0: ONE, 1: ONE}, 0, "with a pass or a default"),
        ({0: ONE, 1: Prompt(Text("x"), (_option(1, ends=True),), at_least=0)}, 0, "with a pass"),
        ({0: ONE, 1: Prompt(Text("x"), (_option(1),), at_least=0, default=(0,))}, 0, "a default"),
        ({0: ONE.followed_by([ONE]), 1: MAYBE}, 0, "a row"),
    ],
)
def test_a_mistake_in_a_rule_raises(prompts: Any, decides: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        _put(prompts, decides)


def test_nobody_decides_alone_elsewhere() -> None:
    with pytest.raises(ValueError, match="where others answer"):
        _put({0: ONE}, 0, Settle.EACH)
