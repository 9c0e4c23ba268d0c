"""Rules of questions: the seats that are asked, valid answers, and when a question is settled."""

from collections.abc import Iterator

from protocol import codec
from protocol.common import events, standing
from protocol.common.asks import Audience, Question, Settle
from protocol.common.lots import COUNTED_VERSION, is_enough_for_lot
from protocol.common.patience import LIMITS_VERSION, age_ms, away, is_due, limits, timer_of
from protocol.common.table import OpenAsk, Stage
from protocol.errors import Malformed
from protocol.event import Event, Record, Sealed
from protocol.validity.form import by_clock, by_seat
from protocol.validity.state import Invalid, State, effect, need, table_rule
from protocol.validity.windows import check_window


@table_rule(events.Asked)
def _asked(state: State, _record: Record, asked: events.Asked) -> None:
    need(asked.ask_id == state.room.next_ask_id, "a question out of its row")
    need(asked.questions, "a question that nobody is asked")
    need(asked.questions.keys() <= state.room.seats.keys(), "a seat is asked that there is not")
    if asked.settle.is_vote:
        # A tiebreak must be able to pick somebody, and only somebody who has a vote.
        has_voters = asked.voters and all(seat in asked.questions for _, seat in asked.voters)
        need(has_voters, "a lot that nobody asked could fall on")
    has_time = asked.settle.has_seconds
    need(asked.seconds > 0 if has_time else asked.seconds == 0, "a time for another question")
    is_open = asked.audience is Audience.ALL
    need(is_open or asked.settle.is_vote, "hidden votes where nobody votes")
    need(not asked.kind or asked.settle.has_pass, "a kind where nobody can pass")
    decider = asked.decides if asked.settle is Settle.BESIDE else -1
    need(asked.decides == decider, "somebody decides alone where others answer, too")
    is_decided = asked.settle is not Settle.BESIDE or decider in asked.questions
    need(is_decided, "a seat decides that is not asked")
    # A question with seconds of its own has no other time.
    timer = None if has_time else state.room.timer
    need(asked.timer == (-1 if timer is None else timer.timer_id), "a question of another timer")
    if asked.settle is Settle.WINDOW:
        check_window(state, asked)
    for seat, sealed in asked.questions.items():
        if sealed.is_open:
            question: Question = sealed.value
            offered = [choice.choice_id for part in question.row for choice in part.choices]
            need(len(set(offered)) == len(offered), "two choices with one id")
            need(not any(part.then for part in question.then), "a row inside a row")
            # Else a first answer could settle a question of which others have answered only a part.
            is_each = asked.settle is Settle.EACH
            need(not question.then or is_each, "a row where not each answers for itself")
            need(question.faults(question.row_default) is None, "a default that is no answer")
            _check_question(question, asked.settle)
            if asked.settle is Settle.BESIDE:
                _check_beside(question, decides=seat == decider)


def _check_beside(question: Question, *, decides: bool) -> None:
    counts = (question.at_least, question.at_most)
    need(counts == ((1, 1) if decides else (0, 1)), "other than one thing, or than at most one")
    # Silence does nothing, and need not be said.
    is_silent = not question.default and not question.passing
    need(decides or is_silent, "an interruption by default, or a pass where none is asked for")


def _check_question(question: Question, settle: Settle) -> None:
    is_one = (question.at_least, question.at_most) == (1, 1)
    is_list = question.at_least > 0 and question.is_ordered
    need(is_one or is_list or not settle.is_vote, "a vote on other than one thing or a list")
    # With two ways to pass, or a default that acts, a seat that is away would do something.
    if settle.has_pass:
        # A window may take several choices, but a pass alone.
        is_one = is_one or (settle is Settle.WINDOW and question.at_least == 1)
        need(is_one and len(question.passing) == 1, "a question without one way to pass")
        need(question.default == question.passing, "a default that is not to pass")


@table_rule(events.TimerOpened)
def _timer_opened(state: State, _record: Record, opened: events.TimerOpened) -> None:
    need(opened.timer_id == state.room.next_timer_id, "a timer out of its row")
    need(state.room.timer is None, "a timer within another")


@table_rule(events.TimerClosed)
def _timer_closed(state: State, _record: Record, closed: events.TimerClosed) -> None:
    timer = state.room.timer
    need(timer is not None and timer.timer_id == closed.timer_id, "that timer is not open")


@table_rule(events.CheckpointReached)
def _rested(state: State, _record: Record, _rested: events.CheckpointReached) -> None:
    # The game can continue from a checkpoint, where no rule waits for the end of a timer.
    need(state.room.timer is None, "a checkpoint within a timer")


@effect(events.Asked)
def _passed_at_once(state: State, _record: Record, asked: events.Asked) -> None:
    if asked.settle.can_pass and any(_passes(state, asked.kind, seat) for seat in asked.questions):
        state.due = events.PassedStanding


def _passes(state: State, kind: str, seat: int) -> bool | None:
    """Return whether a seat always passes on a kind of question; None if that is sealed."""
    said = state.room.standing.get(seat)
    is_sealed = kind and said is not None and not said.is_open
    return None if is_sealed else standing.passes(state.room, seat, kind)


def _open_ask(state: State, ask_id: int) -> OpenAsk:
    ask = state.room.ask
    need(ask is not None and ask.ask_id == ask_id, "that question is not open")
    need(not state.room.stands_still, "the game stands still")
    assert ask is not None
    return ask


def _check_picks(sealed: Sealed[Question], picks: tuple[str, ...]) -> None:
    fits = not sealed.is_open or sealed.value.faults(picks) is None
    need(fits, "an answer that was not offered")


@table_rule(events.Answered)
def _answered(state: State, record: Record, answer: events.Answered) -> None:
    ask = _open_ask(state, answer.ask_id)
    by_seat(state, record, answer.seat)
    need(answer.seat in ask.questions, "the seat is not asked")
    need(not ask.has_open_votes, "an answer where votes are asked for")
    # A record of its own, at its own time, would tell all others that somebody acts.
    need(ask.settle is not Settle.WINDOW, "an answer in a window before it closes")
    need(answer.seat not in ask.answered, "the seat answered before")
    if answer.picks.is_open:
        question = ask.questions[answer.seat]
        _check_picks(question, answer.picks.value)
        # An answer settles the question; a pass in its place would end it for those who may act.
        is_pass = question.is_open and answer.picks.value == question.value.passing
        need(not (ask.settle.can_pass and is_pass), "a pass that is sealed")
        is_empty = ask.may_interrupt(answer.seat) and not answer.picks.value
        need(not is_empty, "an interruption that does nothing")
    if answer.seat == ask.decides:
        # Those who may interrupt would have less time, or none.
        is_now = is_due(state.room, _before(state, record), record.time)
        need(is_now, "an answer while others may still interrupt it")


def _before(state: State, record: Record) -> Iterator[Record]:
    """Yield the records before one, latest first."""
    return (one for one in reversed(state.records) if one.sequence < record.sequence)


def _age(state: State, record: Record, timer: int) -> int:
    """Return the milliseconds of the open question, or of the timer with this id, at a record."""
    return age_ms(state.room, _before(state, record), record.time, timer=timer)


@effect(events.Answered)
def _settled_by_answers(state: State, _record: Record, _answer: events.Answered) -> None:
    ask = state.room.ask
    assert ask is not None
    if ask.settle.first_settles or not ask.waiting_for:
        state.due = events.VotesShown if ask.has_ballots else events.Settled


@table_rule(events.Passed)
def _passed(state: State, record: Record, passed: events.Passed) -> None:
    ask = _open_ask(state, passed.ask_id)
    by_seat(state, record, passed.seat)
    need(passed.seat in ask.questions, "the seat is not asked")
    need(ask.settle.can_pass, "a pass where answers are asked for")
    need(passed.seat not in ask.answered, "the seat passed before")


@table_rule(events.StandingSet)
def _standing_set(state: State, record: Record, said: events.StandingSet) -> None:
    by_seat(state, record, said.seat)
    need(state.room.stage is Stage.PLAYING, "nothing to pass on before the game")
    ask = state.room.ask
    # Its record would tell all others that the seat is thinking about this window.
    is_in_window = ask is not None and ask.settle is Settle.WINDOW and said.seat in ask.questions
    need(not is_in_window, "a standing pass in a window that asks the seat")
    if said.kinds.is_open:
        # Else a seat could have the words of subjects sent that the table has not seen.
        are_known = standing.are_passes(said.kinds.value, state.room.kinds)
        need(are_known, "passes that do not ascend, or are on what was never asked")


@table_rule(events.PassesLapsed)
def _lapsed(_state: State, _record: Record, lapsed: events.PassesLapsed) -> None:
    # Which names a game has is checked by its laws.
    need(lapsed.name, "passes lapse with nothing")


@table_rule(events.PassedStanding)
def _passed_standing(state: State, _record: Record, passed: events.PassedStanding) -> None:
    ask = _open_ask(state, passed.ask_id)
    need(state.came(events.Asked) and ask.settle.can_pass, "a pass on no question asked just now")
    need(passed.seats, "nobody who passes")
    need(list(passed.seats) == sorted({*passed.seats}), "seats that do not ascend")
    need({*passed.seats} <= ask.questions.keys(), "a seat that is not asked")
    # The server may neither pass for a seat that did not ask for it nor forget one that did. Sealed
    # passes can be checked by those only who can read them.
    for seat in ask.questions:
        said = _passes(state, ask.kind, seat)
        need(said is None or said == (seat in passed.seats), "it is not as the seats said")


@effect(events.Passed, events.PassedStanding)
def _settled_by_passes(state: State, _record: Record, _passed: Event) -> None:
    ask = state.room.ask
    assert ask is not None
    if not ask.waiting_for:
        state.due = events.Settled


@table_rule(events.Voted)
def _voted(state: State, record: Record, vote: events.Voted) -> None:
    ask = _open_ask(state, vote.ask_id)
    by_seat(state, record, vote.seat)
    need(vote.seat in ask.questions, "the seat is not asked")
    need(ask.has_open_votes, "an open vote where none is asked for")
    _check_picks(ask.questions[vote.seat], vote.picks)


@effect(events.Voted)
def _settled_by_votes(state: State, _record: Record, _vote: events.Voted) -> None:
    ask = state.room.ask
    assert ask is not None
    if ask.decision is not None:
        state.due = events.Settled


@table_rule(events.VotesShown)
def _votes_shown(state: State, _record: Record, shown: events.VotesShown) -> None:
    ask = _open_ask(state, shown.ask_id)
    refs = [(one.sequence, one.slot) for one in shown.votes]
    # All of them: leaving one out would change the result.
    need(refs == [sealed.ref for sealed in ask.ballots.values()], "other votes than were given")
    # A sealed vote could not be checked when it was given. All seats of a vote have one question.
    for one in shown.votes:
        for question in ask.questions.values():
            try:
                picks: tuple[str, ...] = codec.decode(one.value, tuple[str, ...])
            except Malformed as wrong:
                raise Invalid(f"a vote of another type: {wrong}") from wrong
            _check_picks(question, picks)


@effect(events.VotesShown)
def _decided_by_votes(state: State, _record: Record, _shown: events.VotesShown) -> None:
    ask = state.room.ask
    assert ask is not None
    state.due = events.Picked if ask.decision is None else events.Settled


@table_rule(events.LotWanted)
def _lot_wanted(state: State, record: Record, wanted: events.LotWanted) -> None:
    ask = _open_ask(state, wanted.ask_id)
    by_seat(state, record, wanted.seat)
    need(wanted.seat in ask.questions, "the seat is not asked")
    need(ask.has_open_votes and not ask.waiting_for, "a lot before all have voted")
    need(wanted.seat not in ask.lot_wanted_by, "a seat wants a lot twice")
    need(_is_enough(state, ask, wanted.seat) is not True, "a lot is wanted that is to be drawn")


@table_rule(events.TiebreakCalled)
def _tiebreak_called(state: State, record: Record, call: events.TiebreakCalled) -> None:
    ask = _open_ask(state, call.ask_id)
    by_seat(state, record, call.seat)
    need(call.seat in ask.questions, "the seat is not asked")
    need(ask.has_open_votes and not ask.waiting_for, "a lot before all have voted")
    need(_is_enough(state, ask, call.seat) is not False, "a lot that too few want")


def _is_enough(state: State, ask: OpenAsk, seat: int) -> bool | None:
    """
    Return True if a lot must be drawn once a seat asks for it; False if it must not be.

    None in an older log, in which both are valid.
    """
    if state.room.version < COUNTED_VERSION:
        return None
    return is_enough_for_lot(state.room, ask, seat)


@effect(events.TiebreakCalled)
def _tiebreak_is_due(state: State, _record: Record, _call: events.TiebreakCalled) -> None:
    state.due = events.Picked


@table_rule(events.TimedOut)
def _timed_out(state: State, record: Record, out: events.TimedOut) -> None:
    ask = _open_ask(state, out.ask_id)
    by_clock(record)
    need(ask.settle is not Settle.WINDOW, "a window closes with all that was said in it")
    # Else a server could give the default answer in place of a player who is still thinking.
    limited = limits(state.room)
    has_limit = limited or state.room.version < LIMITS_VERSION
    need(has_limit, "time is up at a table without a time limit")
    is_announced = ask.settle in {Settle.UNLESS_OBJECTED, Settle.BESIDE}
    # Silence is consent, so the whole time must have passed with all present who need it.
    need(not away(state.room), "time is up while somebody is away for whom it stands still")
    if is_announced or timer_of(state.room) is not None:
        # Any of them: the limit of the table holds within a timer, too.
        is_up = any(_age(state, record, one.timer) >= 1000 * one.seconds for one in limited)
        need(is_up, "time is up before it is")


@effect(events.TimedOut)
def _settled_by_the_clock(state: State, _record: Record, _out: events.TimedOut) -> None:
    ask = state.room.ask
    assert ask is not None
    state.due = (
        events.VotesShown
        if ask.has_ballots
        else events.Picked
        if ask.has_open_votes
        else events.Settled
    )


@table_rule(events.Settled)
def _settled(state: State, _record: Record, settled: events.Settled) -> None:
    _open_ask(state, settled.ask_id)
