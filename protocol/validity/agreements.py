"""Rules of agreements: going back, corrections, pauses, seats given away."""

from protocol.common import events
from protocol.common.absence import ABSENCE_MS, absentees
from protocol.common.hosts import acts_as_host
from protocol.common.kept_apart import goes_with_secrets, is_kept_out
from protocol.common.proposals import Correct, GiveSeat, GiveUp, TakeBack
from protocol.common.table import Stage
from protocol.event import OPERATOR, Record
from protocol.validity.form import by_clock, by_seat, no_observer
from protocol.validity.order import agreed, voices
from protocol.validity.state import State, effect, need, table_rule

_CARRIED_OUT = {
    TakeBack: events.TakenBack,
    GiveSeat: events.SeatGiven,
    Correct: None,
    GiveUp: events.RoomClosed,
}
"""Kind of event that is due when all seats consent, by proposal. Corrections wait until rules are
idle."""


def _playing(state: State) -> None:
    need(state.room.stage is Stage.PLAYING, "no game is going on")


@table_rule(events.Proposed)
def _proposed(state: State, record: Record, proposed: events.Proposed) -> None:
    proposal, room = proposed.proposal, state.room
    _playing(state)
    by_seat(state, record, proposal.by)
    need(proposal.proposal_id == room.next_proposal_id, "a proposal out of its row")
    # Consent comes from each seat in a record of its own.
    need(not proposal.consents, "a proposal that speaks for others")
    aim = proposal.aim
    need(aim is not None, "a proposal of no kind that there is")
    if isinstance(aim, TakeBack):
        need(aim.checkpoint in state.table.checkpoints, "there is no such checkpoint")
    if isinstance(aim, GiveSeat):
        # All seats of a branch are one player's.
        need(not state.has_branched, "a seat of a branch is given away")
        need(acts_as_host(room, proposal.by), "others give seats away")
        need(aim.seat in room.seats, "there is no such seat")
        # Two seats for one key would be two votes for one person.
        is_free = not aim.key or room.seat_of(aim.key) is None
        need(is_free, "whoever is proposed has a seat")
        no_observer(state, aim.key)
        _not_kept_out(state, aim.seat, aim.key)


def _not_kept_out(state: State, seat: int, key: bytes) -> None:
    """Check that the new owner had no seat of another role, if the game keeps roles apart."""
    need(not is_kept_out(state.room, seat, key), "a seat for somebody who knows another role")


@table_rule(events.Consented)
def _consented(state: State, record: Record, consent: events.Consented) -> None:
    proposal = state.room.proposal
    is_open = proposal is not None and proposal.proposal_id == consent.proposal_id
    need(is_open, "that is not proposed")
    assert proposal is not None
    by_seat(state, record, consent.seat)
    need(consent.seat in voices(state.room), "the seat is not asked for consent")
    # Checkpoints expire while a proposal is open. It can still be refused, or it would never end.
    is_there = (
        not isinstance(proposal.aim, TakeBack) or proposal.checkpoint in state.table.checkpoints
    )
    need(is_there or not consent.is_agreed, "there is no such checkpoint any more")


@table_rule(events.AgreedForAbsent)
def _agreed_for_absent(state: State, record: Record, agreed_for: events.AgreedForAbsent) -> None:
    room, proposal = state.room, state.room.proposal
    is_open = proposal is not None and proposal.proposal_id == agreed_for.proposal_id
    need(is_open, "that is not proposed")
    assert proposal is not None
    need(agreed_for.seats, "it speaks for nobody")
    # Exactly the absent ones: a seat that is present decides for itself.
    need(agreed_for.seats == absentees(room), "it speaks for others than those who are away")
    is_back = isinstance(proposal.aim, TakeBack)
    is_there = not is_back or proposal.checkpoint in state.table.checkpoints
    need(is_there, "there is no such checkpoint any more")
    if record.origin == OPERATOR:
        need(is_back, "whoever runs the server may agree to going back alone")
        return
    seat = room.seats.get(record.origin)
    is_here = seat is not None and seat.is_present
    need(is_here, "it came neither from a seat that is here nor from whoever runs the server")
    # By the times on the log, which audits can check. The operator need not wait.
    need(record.time - room.proposed_at >= ABSENCE_MS, "those who are away had less than a day")


@effect(events.Proposed, events.Consented, events.AgreedForAbsent)
def _carry_out(state: State, _record: Record, _event: object) -> None:
    aim = agreed(state.room)
    if aim is not None:
        state.due = _CARRIED_OUT[type(aim)]


@table_rule(events.TakenBack)
def _taken_back(state: State, _record: Record, back: events.TakenBack) -> None:
    aim = agreed(state.room)
    # After a failure of the rules there is no consent, so there is no choice of the checkpoint.
    if state.came(events.PausedSet):
        need(
            back.checkpoint == max(state.table.checkpoints),
            "a pause goes back to the last checkpoint",
        )
    else:
        need(aim == TakeBack(back.checkpoint), "another checkpoint was agreed")


@table_rule(events.Corrected)
def _corrected(state: State, _record: Record, corrected: events.Corrected) -> None:
    aim = agreed(state.room)
    is_moment = state.came(events.Proposed, events.Consented, events.CheckpointReached)
    need(is_moment and isinstance(aim, Correct), "no correction is agreed")
    is_it = aim == Correct(corrected.piece, corrected.amount)
    need(is_it, "another correction was agreed")


@table_rule(events.PausedSet)
def _paused(state: State, record: Record, change: events.PausedSet) -> None:
    _playing(state)
    need(state.room.is_paused != change.is_paused, "that is so already")
    # Only a failure pauses a game in this way; the operator has events of their own.
    if change.is_paused:
        by_clock(record)
    else:
        need(record.origin in state.room.seats, "it did not come from a seat")


@effect(events.PausedSet)
def _go_back_or_on(state: State, _record: Record, change: events.PausedSet) -> None:
    state.due = events.TakenBack if change.is_paused else events.Asked


@table_rule(events.SeatGiven)
def _given(state: State, _record: Record, given: events.SeatGiven) -> None:
    aim = agreed(state.room)
    need(isinstance(aim, GiveSeat), "no seat is given away")
    is_it = aim == GiveSeat(given.seat, given.name, given.key, given.is_bot)
    # The settings were public when people sat down; who learns their secrets cannot change later.
    goes_along = goes_with_secrets(state.room)
    need(is_it and given.with_secrets == goes_along, "another seat, or another owner, was agreed")
    # They may have filled an empty seat, perhaps of another role, since it was proposed.
    need(not given.key or state.room.seat_of(given.key) is None, "whoever is given it has a seat")


@table_rule(events.SeatFilledKnowing)
def _filled_knowing(state: State, record: Record, filled: events.SeatFilledKnowing) -> None:
    need(state.room.fixed_setup is not None, "a setup is accepted where none is fixed")
    _filled(state, record, filled)


@table_rule(events.SeatFilled)
def _filled(
    state: State, record: Record, filled: events.SeatFilled | events.SeatFilledKnowing
) -> None:
    by_seat(state, record, filled.seat)
    need(not state.room.seats[filled.seat].key, "the seat is taken")
    need(filled.key and state.room.seat_of(filled.key) is None, "whoever it is has a seat")
    no_observer(state, filled.key)
    _not_kept_out(state, filled.seat, filled.key)
