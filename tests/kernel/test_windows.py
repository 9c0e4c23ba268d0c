"""Timed windows: answers stay off the log until the window closes; then all are written at once."""

from typing import Any

import pytest

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.table import Settings
from protocol.common.text import Text
from protocol.event import CLOCK, cut, everything, hidden, openings_of
from server.kernel.asks import Ask, Option, Prompt
from server.kernel.errors import Refused
from tests.kit.tables.playing import Recording, at_card, begin, refused
from tests.kit.tables.toy_table import Content, Scored, a_deck

pytestmark = pytest.mark.issue(11)

FLASH = "toy/flash"


def with_stops(*seats: int, kinds: tuple[str, ...] = (), everywhere: bool = False) -> Recording:
    """Return a game whose `seats` stop at windows of these kinds, at a flash just turned up."""
    recording = begin(3, Content(deck=a_deck("flash")), settings=Settings(stops=True))
    for seat in seats:
        recording.room.stop_at(seat, frozenset(kinds), is_everywhere=everywhere)
    recording.answer(0, "peek")
    recording.answer(0, recording.game.hand("bear")[0])
    return recording


def held_code(recording: Recording, ask_id: int, seat: int, choice_id: str) -> str:
    """Return the code with which an answer in a window is refused."""
    with pytest.raises(Refused) as caught:
        recording.room.hold(ask_id, seat, (choice_id,))
    return caught.value.code


# What is said


def test_a_window_is_as_long_as_the_settings_say() -> None:
    recording = at_card("flash")

    assert recording.ask.settle is Settle.WINDOW
    assert (recording.ask.kind, recording.ask.seconds) == (FLASH, Settings().window_seconds)


def test_what_is_said_changes_nothing_before_it_closes() -> None:
    recording = at_card("flash")
    table, log = recording.table, recording.log

    recording.say_in_window(1, "toy/dazzle", 1)

    assert recording.table == table
    assert recording.log == log
    assert recording.ask.waiting_for == (0, 1, 2)


def test_all_that_was_said_counts_when_it_closes() -> None:
    recording = at_card("flash")
    recording.say_in_window(2, "toy/dazzle", 1)
    recording.say_in_window(1, "toy/dazzle", 1)

    recording.close_window()

    assert recording.happened(Scored)[-2:] == [Scored("fox", 1), Scored("hare", 1)]
    assert recording.ask.rule == "TOY-2"


def test_it_can_be_changed_until_it_closes() -> None:
    recording = at_card("flash")
    recording.say_in_window(1, "toy/dazzle", 1)
    recording.say_in_window(1, "toy/pass")

    recording.close_window()

    assert recording.happened(Scored) == []


def test_its_record_is_of_one_size_whatever_was_said() -> None:
    sizes = set()
    for words in ((), ("toy/pass",), ("toy/dazzle", 1)):
        recording = at_card("flash")
        if words:
            recording.say_in_window(1, *words)
        closed = recording.close_window().batch.stored[0]
        sizes.add((len(closed.public), *(len(one.value) for one in openings_of(closed))))

    assert len(sizes) == 1


def test_each_answer_is_sealed_to_its_seat() -> None:
    recording = at_card("flash")
    recording.say_in_window(1, "toy/dazzle", 1)

    closed = recording.close_window().batch.stored[0]

    slots = [[slot for slot, _ in cut(closed, viewer).openings] for viewer in (0, 1, 2, None)]
    assert slots == [[0], [1], [2], []]
    assert everything(closed).openings[1][1].value != everything(closed).openings[0][1].value


def test_what_cannot_be_said_in_a_window_is_refused() -> None:
    recording = at_card("flash")
    ask_id, seat_2 = recording.ask.ask_id, recording.choice(2, "toy/pass")

    assert held_code(recording, ask_id, 1, "9.9") == "answer/not_offered"
    assert held_code(recording, ask_id, 7, seat_2) == "answer/not_asked"
    assert held_code(recording, ask_id + 1, 2, seat_2) == "answer/stale"
    ambush = at_card("ambush")
    assert held_code(ambush, ambush.ask.ask_id, 0, "x") == "answer/no_window"


def test_nothing_else_settles_a_window() -> None:
    recording = at_card("flash")
    ask_id, picks = recording.ask.ask_id, (recording.choice(0, "toy/dazzle", 1),)

    assert refused(recording, events.Answered(0, ask_id, hidden(picks))) == "answer/in_window"
    assert refused(recording, events.Passed(0, ask_id)) == "answer/no_pass"
    assert refused(recording, events.TimedOut(ask_id), CLOCK) == "answer/in_window"


def test_only_the_clock_closes_a_window() -> None:
    recording = at_card("flash")
    closing = recording.room.closing()
    one = {0: closing.answers[0]}
    other = {**closing.answers, 0: hidden(events.Held.of(("9.9",)))}
    ask_id = closing.ask_id

    assert refused(recording, closing, 0) == "table/clock_only"
    assert refused(recording, events.AnsweredTogether(ask_id, one), CLOCK) == "answer/not_asked"
    assert refused(recording, events.AnsweredTogether(ask_id, other), CLOCK) == "answer/not_offered"


def test_no_standing_pass_is_said_while_a_window_asks() -> None:
    """Setting one just then would tell that the seat looked at the window."""
    recording = at_card("flash")

    assert refused(recording, events.StandingSet(0, hidden((FLASH,)))) == "standing/window_open"


def test_a_standing_pass_on_a_window_shows_nowhere() -> None:
    recording = at_card("flash")
    recording.close_window()
    recording.stand(2, FLASH)

    recording.answer(1, "peek")
    recording.answer(1, recording.game.hand("fox")[0])

    assert recording.happened(events.PassedStanding) == []
    assert recording.ask.waiting_for == (0, 1, 2)


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_room_comes_back_with_its_window(is_closed: bool) -> None:
    recording = at_card("flash")
    recording.say_in_window(1, "toy/dazzle", 1)
    if is_closed:
        recording.close_window()
    before = recording.table

    recording.restart()

    assert recording.table == before
    if not is_closed:
        recording.close_window()
        assert recording.happened(Scored) == []


def test_a_seat_in_new_hands_opens_the_window_anew() -> None:
    recording = at_card("flash")
    recording.say_in_window(1, "toy/dazzle", 1)

    recording.propose_gift(0, 2, b"z" * 32)
    recording.consent(1)
    recording.close_window()

    assert recording.happened(Scored) == []


@pytest.mark.issue(40)
def test_a_rule_knows_that_its_table_goes_by_the_calendar() -> None:
    settings = Settings(by_calendar=True, time_limit_seconds=86400)
    recording = begin(3, Content(deck=a_deck("flash")), settings=settings)
    recording.answer(0, "peek")
    recording.answer(0, recording.game.hand("bear")[0])

    assert recording.ask.settle is Settle.EACH


# Several choices


def picked(recording: Recording, seat: int, *points: int) -> tuple[str, ...]:
    """Return the ids of a seat's choices to throw these sparks."""
    return tuple(recording.choice(seat, "toy/dazzle", n) for n in points)


@pytest.mark.issue(39)
def test_a_window_takes_as_many_choices_as_its_rule_says() -> None:
    recording = at_card("flurry")
    recording.room.hold(recording.ask.ask_id, 1, picked(recording, 1, 1, 2))
    recording.room.hold(recording.ask.ask_id, 2, picked(recording, 2, 2))

    recording.close_window()

    assert recording.happened(Scored)[-2:] == [Scored("fox", 3), Scored("hare", 2)]


@pytest.mark.issue(39)
def test_a_pass_is_said_alone() -> None:
    recording = at_card("flurry")
    passing, ask_id = recording.choice(1, "toy/pass"), recording.ask.ask_id

    with pytest.raises(Refused, match="answer/pass_alone"):
        recording.room.hold(ask_id, 1, (passing, *picked(recording, 1, 1)))
    with pytest.raises(Refused, match="answer/wrong_number"):
        recording.room.hold(ask_id, 1, ())
    recording.room.hold(ask_id, 1, (passing,))
    recording.close_window()

    assert recording.happened(Scored) == []


@pytest.mark.issue(40)
def test_two_choices_that_point_at_the_same_thing_exclude_each_other() -> None:
    recording = at_card("flurry")
    ask_id = recording.ask.ask_id
    (high,), low = picked(recording, 1, 1), recording.choice(1, "toy/glow", 1)
    other = recording.choice(1, "toy/glow", 2)

    with pytest.raises(Refused, match="answer/same_thing"):
        recording.room.hold(ask_id, 1, (high, low))
    recording.room.hold(ask_id, 1, (high, other))
    recording.close_window()

    assert recording.happened(Scored)[-1:] == [Scored("fox", 3)]


@pytest.mark.issue(39)
def test_the_record_of_a_window_for_several_is_of_one_size() -> None:
    sizes = set()
    for points in ((), (2,), (1, 2)):
        recording = at_card("flurry")
        if points:
            recording.room.hold(recording.ask.ask_id, 1, picked(recording, 1, *points))
        closed = recording.close_window().batch.stored[0]
        sizes.add((len(closed.public), *(len(one.value) for one in openings_of(closed))))

    assert len(sizes) == 1


# Done


def held_by(recording: Recording, *seats: int) -> None:
    for seat in seats:
        recording.say_in_window(seat, "toy/pass", is_done=True)


@pytest.mark.issue(39)
def test_all_are_done_once_each_said_so_for_the_last_answer() -> None:
    recording = with_stops(2, everywhere=True)
    room = recording.room
    held_by(recording, 0, 1)
    assert not room.holding.is_everybody_done(room.table.room)
    held_by(recording, 2)
    assert room.holding.is_everybody_done(room.table.room)

    recording.say_in_window(1, "toy/dazzle", 1)

    assert not room.holding.is_everybody_done(room.table.room)


@pytest.mark.issue(39)
def test_nobody_is_done_at_a_table_without_stops() -> None:
    recording = at_card("flash")
    held_by(recording, 0, 1, 2)

    assert not recording.room.holding.is_everybody_done(recording.table.room)


@pytest.mark.issue(39)
def test_whoever_was_done_in_one_window_is_not_in_the_next() -> None:
    recording = with_stops(2, everywhere=True)
    held_by(recording, 0, 1, 2)
    recording.close_window()
    recording.answer(1, "peek")
    recording.answer(1, recording.game.hand("fox")[0])

    assert not recording.room.holding.is_everybody_done(recording.table.room)


# Stops


@pytest.mark.parametrize(
    ("kinds", "everywhere"), [((FLASH,), False), ((), True)], ids=["there", "everywhere"]
)
def test_a_window_opens_where_somebody_has_a_stop(kinds: tuple[str, ...], everywhere: bool) -> None:
    recording = with_stops(2, kinds=kinds, everywhere=everywhere)

    assert recording.ask.kind == FLASH
    assert recording.ask.waiting_for == (0, 1, 2)


@pytest.mark.parametrize("kinds", [None, ("toy/ambush",)], ids=["none", "elsewhere"])
def test_a_window_passes_at_once_where_nobody_has_a_stop(kinds: tuple[str, ...] | None) -> None:
    recording = with_stops() if kinds is None else with_stops(1, kinds=kinds)

    assert recording.ask.rule == "TOY-2"
    assert [one.kind for one in recording.happened(events.Asked)].count(FLASH) == 1
    assert recording.happened(Scored, events.AnsweredTogether) == []


def test_stops_are_on_no_log() -> None:
    recording = begin(3, Content(deck=a_deck("flash")), settings=Settings(stops=True))
    log = recording.log

    recording.room.stop_at(1, frozenset((FLASH,)), is_everywhere=False)

    assert recording.log == log


def test_a_table_with_windows_has_no_stops() -> None:
    recording = at_card("flash")

    with pytest.raises(Refused, match="table/no_stops"):
        recording.room.stop_at(0, frozenset(), is_everywhere=True)


def test_the_stops_of_a_seat_end_with_its_owner() -> None:
    recording = with_stops()
    recording.room.stop_at(2, frozenset(), is_everywhere=True)
    recording.propose_gift(0, 2, b"z" * 32)
    recording.consent(1)

    recording.answer(1, "peek")
    recording.answer(1, recording.game.hand("fox")[0])

    assert recording.ask.rule == "TOY-2"


@pytest.mark.parametrize("has_stop", [False, True])
def test_a_room_with_stops_comes_back(has_stop: bool) -> None:
    recording = with_stops(*((1,) if has_stop else ()), everywhere=True)
    before = recording.table

    recording.restart()

    assert recording.room.halted is None
    assert recording.table == before


# Mistakes in a rule


def _put(prompts: dict[int, Prompt[Any]], **more: Any) -> object:
    return Ask("X", Text("x"), prompts, Settle.WINDOW, **more)


PASS = Option(0, Text("x"), ends=True)


def test_a_window_needs_a_kind_and_a_pass() -> None:
    """A mistake in a rule raises where it asks."""
    passing: dict[int, Prompt[Any]] = {0: Prompt(Text("x"), (PASS,))}
    acting: dict[int, Prompt[Any]] = {0: Prompt(Text("x"), (Option(1, Text("y")),))}

    with pytest.raises(ValueError, match="without a kind"):
        _put(passing)
    with pytest.raises(ValueError, match="one way to pass"):
        _put(acting, kind="kind/x")


@pytest.mark.issue(39)
def test_a_window_asks_all_for_the_same_number() -> None:
    one: Prompt[Any] = Prompt(Text("x"), (PASS,))
    two: Prompt[Any] = Prompt(Text("x"), (PASS,), at_most=2)

    with pytest.raises(ValueError, match="one way to pass"):
        _put({0: one, 1: two}, kind="kind/x")
