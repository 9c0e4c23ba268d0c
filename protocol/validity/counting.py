"""Counts events that a dishonest server can cause and that no proof about chance covers."""

from protocol.common import events
from protocol.common.proposals import GiveSeat, GiveUp, TakeBack
from protocol.event import Record
from protocol.validity.state import State


def count(state: State, record: Record) -> None:
    """Count a valid record, before it is folded."""
    counts, room = state.counts, state.room
    match record.event:
        case events.StartFailed():
            counts.starts_failed += bool(room.ceremony and room.ceremony.shares)
            # All clients open their shares then, so the server may have seen them.
            bound = room.ceremony.commitments if room.ceremony else ()
            are_all_bound = len(bound) == len(room.seats)
            is_silent = room.ceremony is not None and not room.ceremony.shares
            counts.starts_silent += are_all_bound and is_silent
        case events.GameStarted() | events.BranchStarted():
            counts.shares = len(room.seats)
            hidden = (last.number - last.on_log for last in room.opened.values())
            counts.starts_hidden = max(hidden, default=0)
            counts.shares_of_bots = sum(seat.is_bot for seat in room.seats.values())
        case events.TakenBack() if state.came(events.PausedSet):
            counts.pauses += 1
        case events.TakenBack():
            counts.take_backs += 1
        case events.AgreedForAbsent():
            aim = None if room.proposal is None else room.proposal.aim
            counts.gifts += isinstance(aim, GiveSeat)
            counts.given_up += isinstance(aim, GiveUp)
            counts.absences += isinstance(aim, TakeBack)
        case events.TimedOut():
            counts.time_outs += 1
