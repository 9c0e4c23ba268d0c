"""What a server can make happen, counted: what no proof about chance speaks of."""

from protocol.common import events as on
from protocol.event import Record
from protocol.validity.state import State


def count(state: State, record: Record) -> None:
    """Count a record that was judged and is not folded yet."""
    counts, room = state.counts, state.room
    match record.event:
        case on.StartFailed():
            counts.starts_failed += bool(room.ceremony and room.ceremony.shares)
        case on.GameStarted() | on.BranchStarted():
            counts.shares = len(room.seats)
            counts.shares_of_bots = sum(seat.is_bot for seat in room.seats.values())
        case on.TakenBack() if state.came(on.PausedSet):
            counts.pauses += 1
        case on.TakenBack():
            counts.take_backs += 1
        case on.AgreedForAbsent():
            counts.absences += 1
        case on.TimedOut():
            counts.time_outs += 1
