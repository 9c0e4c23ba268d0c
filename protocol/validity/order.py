"""What may follow what: inputs where the room waits, and after each what it owes."""

from protocol.common import events as on
from protocol.common.table import Proposal, RoomTable, Stage
from protocol.event import ROOM, Record
from protocol.validity.state import State, need

_CEREMONY = (on.SeedsCommitted, on.GameStarted)
_WHERE_DUE = (on.Settled, on.TakenBack, on.SeatGiven)
"""Kinds that come only where they are due."""

_AFTER_THE_END = (on.PresenceChanged, on.Chatted, on.SeatFilled, on.SetupOpened)
"""Inputs that a room takes when its game is over."""


def waits(state: State) -> bool:
    """Return whether the room waits for an input, so that a batch may end here."""
    room = state.room
    return state.due is None and (room.stage is not Stage.PLAYING or room.ask is not None)


def check_log_order(state: State, record: Record) -> None:
    """Check the order as far as the ceremony and the end go."""
    happened, stage = record.event, state.room.stage
    is_first = isinstance(happened, on.RoomOpened)
    need(is_first == (state.last is None), "the first event opens the room, and no other")
    need(happened.is_input == (record.origin != ROOM), "inputs have an origin, others have none")
    need(stage is not Stage.OVER or isinstance(happened, _AFTER_THE_END), "the game is over")
    is_due = state.due is not None and isinstance(happened, state.due)
    need(is_due or (state.due is None and not isinstance(happened, _CEREMONY)), "not due here")
    if not happened.is_input and not is_due:
        need(stage is Stage.PLAYING, "no game is going on")


def check_table_order(state: State, record: Record) -> None:
    """Check that a record may stand where it does, once the log is known to be good."""
    happened = record.event
    if happened.is_input:
        need(state.last is None or waits(state), "what came before it is not finished")
        return
    if state.due is not None:
        need(isinstance(happened, state.due), f"a {state.due.tag} is due")
        return
    need(not isinstance(happened, _WHERE_DUE), "nothing before calls for it")
    is_again = isinstance(happened, on.Asked) and state.came(on.SeatGiven)
    is_between = state.room.ask is None or is_again or isinstance(happened, on.Corrected)
    need(is_between, "a question is open, and nothing happens before its answer")


def agreed(room: RoomTable) -> Proposal | None:
    """Return the open proposal, if everybody who is asked has agreed to it."""
    if room.proposal is None or set(voices(room)) - set(room.proposal.consents):
        return None
    return room.proposal


def voices(room: RoomTable) -> tuple[int, ...]:
    """Return the seats whose consent an open proposal needs beside its proposer's own."""
    proposal = room.proposal
    if proposal is None:
        return ()
    people = [s for s in room.seats.values() if s.key and not s.is_bot and s.seat != proposal.by]
    if proposal.kind == "give_seat":
        people = [s for s in people if s.is_present]
    return tuple(s.seat for s in people)
