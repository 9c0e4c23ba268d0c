"""Questions: who is asked, what may be answered, when a question has its answer."""

from protocol.common import events as on
from protocol.common.asks import Question, Settle
from protocol.common.table import OpenAsk
from protocol.event import Record, Sealed
from protocol.validity.form import by_clock, by_seat
from protocol.validity.state import State, effect, need, table_rule


@table_rule(on.Asked)
def _asked(state: State, _record: Record, asked: on.Asked) -> None:
    need(asked.ask_id == state.room.next_ask_id, "a question out of its row")
    need(asked.questions, "a question that nobody is asked")
    need(asked.questions.keys() <= state.room.seats.keys(), "a seat is asked that there is not")
    is_vote = asked.settle is Settle.AGREE
    if is_vote:
        has_lots = asked.lots and all(seat in asked.questions for _, seat in asked.lots)
        need(has_lots, "a lot that nobody asked could fall on")
    for sealed in asked.questions.values():
        if sealed.is_open:
            _check_question(sealed.value, is_vote=is_vote)


def _check_question(question: Question, *, is_vote: bool) -> None:
    offered = [choice.choice_id for choice in question.choices]
    need(len(set(offered)) == len(offered), "two choices with one id")
    need(question.faults(question.default) is None, "a default that is no answer")
    is_one = (question.at_least, question.at_most) == (1, 1)
    need(is_one or not is_vote, "a vote on other than one thing")


def _open_ask(state: State, ask_id: int) -> OpenAsk:
    ask = state.room.ask
    need(ask is not None and ask.ask_id == ask_id, "that question is not open")
    need(not state.room.is_paused, "the game stands still")
    assert ask is not None
    return ask


def _check_picks(sealed: Sealed[Question], picks: tuple[str, ...]) -> None:
    fits = not sealed.is_open or sealed.value.faults(picks) is None
    need(fits, "an answer that was not offered")


@table_rule(on.Answered)
def _answered(state: State, record: Record, answer: on.Answered) -> None:
    ask = _open_ask(state, answer.ask_id)
    by_seat(state, record, answer.seat)
    need(answer.seat in ask.questions, "the seat is not asked")
    need(ask.settle is not Settle.AGREE, "an answer where votes are asked for")
    need(answer.seat not in ask.answered, "the seat answered before")
    if answer.picks.is_open:
        _check_picks(ask.questions[answer.seat], answer.picks.value)


@effect(on.Answered)
def _settled_by_answers(state: State, _record: Record, _answer: on.Answered) -> None:
    ask = state.room.ask
    assert ask is not None
    if ask.settle is Settle.ANY_ONE or not ask.waiting_for:
        state.due = on.Settled


@table_rule(on.Voted)
def _voted(state: State, record: Record, vote: on.Voted) -> None:
    ask = _open_ask(state, vote.ask_id)
    by_seat(state, record, vote.seat)
    need(vote.seat in ask.questions, "the seat is not asked")
    need(ask.settle is Settle.AGREE, "a vote where answers are asked for")
    _check_picks(ask.questions[vote.seat], (vote.choice_id,))


@effect(on.Voted)
def _settled_by_votes(state: State, _record: Record, _vote: on.Voted) -> None:
    ask = state.room.ask
    assert ask is not None
    if not ask.waiting_for and len(set(ask.votes.values())) == 1:
        state.due = on.Settled


@table_rule(on.LotCalled)
def _lot_called(state: State, record: Record, call: on.LotCalled) -> None:
    ask = _open_ask(state, call.ask_id)
    by_seat(state, record, call.seat)
    need(call.seat in ask.questions, "the seat is not asked")
    is_vote = ask.settle is Settle.AGREE
    need(is_vote and not ask.waiting_for, "a lot before all have voted")


@effect(on.LotCalled)
def _lot_is_due(state: State, _record: Record, _call: on.LotCalled) -> None:
    state.due = on.Picked


@table_rule(on.TimedOut)
def _timed_out(state: State, record: Record, out: on.TimedOut) -> None:
    _open_ask(state, out.ask_id)
    by_clock(record)


@effect(on.TimedOut)
def _settled_by_the_clock(state: State, _record: Record, _out: on.TimedOut) -> None:
    ask = state.room.ask
    assert ask is not None
    state.due = on.Picked if ask.settle is Settle.AGREE else on.Settled


@table_rule(on.Settled)
def _settled(state: State, _record: Record, settled: on.Settled) -> None:
    _open_ask(state, settled.ask_id)
