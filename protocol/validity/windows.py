"""Rules of timed windows: when one closes, and the choices in its record."""

from protocol.common import events
from protocol.common.asks import Question, Settle
from protocol.common.patience import WINDOWS_VERSION, age_ms, waited_ms
from protocol.event import Event, Record, Sealed
from protocol.validity.form import by_clock
from protocol.validity.state import State, effect, need, table_rule


def check_window(state: State, asked: events.Asked) -> None:
    """Check the public part of a question that opens a window."""
    # Seats choose their stops by kind, before they know of any window.
    need(asked.kind, "a window without a kind")
    # A length of its own would tell how much there is to think about.
    is_as_set = asked.seconds == state.room.settings.window_seconds
    need(is_as_set, "a window of another length than the table's")
    # A number of its own would tell how much a seat has to choose among.
    counts = {one.value.at_most for one in asked.questions.values() if one.is_open}
    need(len(counts) < 2, "a window that asks seats for different numbers of choices")
    need(state.room.version >= WINDOWS_VERSION or counts <= {1}, "a window for several choices")


def is_passed(state: State, event: Event) -> bool:
    """Return True if this event settles a window at once, because no seat has a stop at it."""
    room = state.room
    is_window = (
        room.ask is not None and room.ask.settle is Settle.WINDOW and state.came(events.Asked)
    )
    return is_window and room.settings.stops and isinstance(event, events.Settled)


@table_rule(events.AnsweredTogether)
def _answered_together(state: State, record: Record, closed: events.AnsweredTogether) -> None:
    room = state.room
    ask = room.ask
    need(ask is not None and ask.ask_id == closed.ask_id, "that question is not open")
    assert ask is not None
    need(ask.settle is Settle.WINDOW, "it is no window that closes")
    need(not room.stands_still, "the game stands still")
    by_clock(record)
    # Silent seats are in it, too, with a pass: nobody can tell silence from a choice.
    need(closed.answers.keys() == ask.questions.keys(), "it is not all who were asked")
    before = [one for one in state.records if one.sequence < record.sequence]
    if room.version < WINDOWS_VERSION:
        # Presence changes by records only: those present now were so since the previous record.
        is_somebody_here = any(seat.is_present for seat in room.seats.values())
        since = record.time - before[-1].time if is_somebody_here else 0
        is_due = waited_ms(room, reversed(before)) + since >= ask.seconds * 1000
    else:
        # With stops it closes once all have said that they are done, which is on no log.
        age = age_ms(room, reversed(before), record.time)
        is_due = room.settings.stops or age >= ask.seconds * 1000
    need(is_due, "the window closes before its time")
    for seat, held in closed.answers.items():
        _check_held(ask.questions[seat], held)


def _check_held(question: Sealed[Question], held: Sealed[events.Held]) -> None:
    if not held.is_open:
        return
    try:
        said = held.value.choice_ids
        at_most = question.value.at_most if question.is_open else len(held.value.picks) // 32
        is_exact = events.Held.of(said, at_most) == held.value
    except ValueError:
        said, is_exact = (), False
    need(is_exact, "an answer that is no choices filled up with zeros")
    fits = not question.is_open or question.value.faults_in_window(said) is None
    need(fits, "an answer that was not offered")


@effect(events.AnsweredTogether)
def _settled_by_the_clock(state: State, _record: Record, _closed: events.AnsweredTogether) -> None:
    state.due = events.Settled
