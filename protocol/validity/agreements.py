"""What all agree to: going back, corrections, pauses, seats given away."""

from protocol.common import events as on
from protocol.common.table import Proposal, Stage
from protocol.event import Record
from protocol.validity.form import by_clock, by_seat
from protocol.validity.order import agreed, voices
from protocol.validity.state import State, effect, need, table_rule

_CARRIED_OUT = {"take_back": on.TakenBack, "give_seat": on.SeatGiven, "correct": None}
"""By kind of proposal: what is due once all agree; a correction waits for its moment."""


def _playing(state: State) -> None:
    need(state.room.stage is Stage.PLAYING, "no game is going on")


@table_rule(on.Proposed)
def _proposed(state: State, record: Record, proposed: on.Proposed) -> None:
    proposal, room = proposed.proposal, state.room
    _playing(state)
    by_seat(state, record, proposal.by)
    need(proposal.proposal_id == room.next_proposal_id, "a proposal out of its row")
    need(not proposal.consents, "a proposal that speaks for others")
    need(proposal.kind in _CARRIED_OUT, "a proposal of no kind that there is")
    if proposal.kind == "take_back":
        need(proposal.checkpoint in state.table.checkpoints, "there is no such checkpoint")
    if proposal.kind == "give_seat":
        need(proposal.by in {room.host, room.steward}, "others give seats away")
        need(proposal.seat in room.seats, "there is no such seat")
        is_free = not proposal.key or room.seat_of(proposal.key) is None
        need(is_free, "whoever is proposed has a seat")


@table_rule(on.Consented)
def _consented(state: State, record: Record, consent: on.Consented) -> None:
    proposal = state.room.proposal
    is_open = proposal is not None and proposal.proposal_id == consent.proposal_id
    need(is_open, "that is not proposed")
    assert proposal is not None
    by_seat(state, record, consent.seat)
    need(consent.seat in voices(state.room), "the seat is not asked for consent")
    is_there = proposal.kind != "take_back" or proposal.checkpoint in state.table.checkpoints
    need(is_there or not consent.is_agreed, "there is no such checkpoint any more")


@effect(on.Proposed, on.Consented)
def _carry_out(state: State, _record: Record, _happened: object) -> None:
    proposal = agreed(state.room)
    if proposal is not None:
        state.due = _CARRIED_OUT[proposal.kind]


def _agreed(state: State, kind: str) -> Proposal | None:
    proposal = agreed(state.room)
    return proposal if proposal is not None and proposal.kind == kind else None


@table_rule(on.TakenBack)
def _taken_back(state: State, _record: Record, back: on.TakenBack) -> None:
    proposal = _agreed(state, "take_back")
    if state.came(on.PausedSet):
        need(
            back.checkpoint == max(state.table.checkpoints),
            "a pause goes back to the last checkpoint",
        )
    else:
        need(
            proposal is not None and back.checkpoint == proposal.checkpoint,
            "another checkpoint was agreed",
        )


@table_rule(on.Corrected)
def _corrected(state: State, _record: Record, corrected: on.Corrected) -> None:
    proposal = _agreed(state, "correct")
    is_moment = state.came(on.Proposed, on.Consented, on.CheckpointReached)
    need(is_moment and proposal is not None, "no correction is agreed")
    assert proposal is not None
    is_it = (corrected.piece, corrected.amount) == (proposal.piece, proposal.amount)
    need(is_it, "another correction was agreed")


@table_rule(on.PausedSet)
def _paused(state: State, record: Record, change: on.PausedSet) -> None:
    _playing(state)
    need(state.room.is_paused != change.is_paused, "that is so already")
    if change.is_paused:
        by_clock(record)
    else:
        need(record.origin in state.room.seats, "it did not come from a seat")


@effect(on.PausedSet)
def _go_back_or_on(state: State, _record: Record, change: on.PausedSet) -> None:
    state.due = on.TakenBack if change.is_paused else on.Asked


@table_rule(on.SeatGiven)
def _given(state: State, _record: Record, given: on.SeatGiven) -> None:
    proposal = _agreed(state, "give_seat")
    need(proposal is not None, "no seat is given away")
    assert proposal is not None
    told = (given.seat, given.name, given.key, given.is_bot, given.with_secrets)
    goes_along = state.room.settings.secrets_go_along
    meant = (proposal.seat, proposal.name, proposal.key, proposal.is_bot, goes_along)
    need(told == meant, "another seat, or another owner, was agreed")


@table_rule(on.SeatFilled)
def _filled(state: State, record: Record, filled: on.SeatFilled) -> None:
    by_seat(state, record, filled.seat)
    need(not state.room.seats[filled.seat].key, "the seat is taken")
    need(filled.key and state.room.seat_of(filled.key) is None, "whoever it is has a seat")
