"""Rules of order: an input comes while the room waits, and its consequences follow at once."""

from protocol.common import events
from protocol.common.kept_apart import needs_absent
from protocol.common.proposals import Aim
from protocol.common.table import RoomTable, Stage
from protocol.event import ROOM, Event, Record
from protocol.validity.branching import check_place
from protocol.validity.state import State, need
from protocol.validity.windows import is_passed

_WHERE_DUE = (events.Settled, events.TakenBack, events.SeatGiven)
"""Kinds that are valid only when they are due."""

Place = Stage | type[Event] | None
"""Place of a log: the kind of event that is due, else the stage; None before the first record."""

LEADS_TO: dict[type[Event], Place] = {
    events.RoomOpened: Stage.LOBBY,
    events.StartRequested: events.SeedsCommitted,
    events.SeedsCommitted: Stage.STARTING,
    events.StartFailed: Stage.LOBBY,
    events.GameStarted: Stage.PLAYING,
    events.Branched: events.SeedsCommitted,
    events.BranchStarted: Stage.PLAYING,
    events.RoomClosed: Stage.OVER,
}
"""
Place of a log after each kind of event that changes the place. `ShareOpened` is missing: after the
last share, the start is due.
"""
_VALID_IN: dict[type[Event], tuple[Place, ...]] = {
    events.RoomOpened: (None,),
    **dict.fromkeys(
        (
            *(
                events.SeatTaken,
                events.SeatLeft,
                events.SeatEmptied,
                events.CharactersClaimed,
                events.RoleClaimed,
            ),
            events.SetupFixed,
        ),
        (Stage.LOBBY,),
    ),
    **dict.fromkeys((events.Prepared, events.BroughtAlong), (Stage.LOBBY,)),
    events.StartRequested: (Stage.LOBBY,),
    events.SeedsCommitted: (events.SeedsCommitted,),
    **dict.fromkeys(
        (events.ShareCommitted, events.ShareOpened, events.StartFailed), (Stage.STARTING,)
    ),
    events.GameStarted: (events.GameStarted,),
    events.Branched: (Stage.PLAYING,),
    events.BranchStarted: (events.BranchStarted,),
    **dict.fromkeys((events.PresenceChanged, events.Chatted, events.SeatFilled), tuple(Stage)),
    **dict.fromkeys(
        (
            events.OperatorPaused,
            events.OperatorResumed,
            events.OperatorClosed,
            events.SeatFilledKnowing,
        ),
        (Stage.PLAYING,),
    ),
    events.SetupOpened: (Stage.OVER,),
}


def places_of(kind: type[Event]) -> tuple[Place, ...]:
    """Return the places at which a kind may occur, as listed in `types.json`."""
    inputs = (Stage.LOBBY, Stage.STARTING, Stage.PLAYING)
    return _VALID_IN.get(kind, inputs if kind.is_input else (Stage.PLAYING,))


def place_of(state: State) -> Place:
    """Return the place of a log before the record being judged."""
    return state.due or (None if state.last is None else state.room.stage)


def waits(state: State) -> bool:
    """Return whether the room waits for an input, so a batch may end here."""
    room = state.room
    return state.due is None and (room.stage is not Stage.PLAYING or room.ask is not None)


def check_log_order(state: State, record: Record) -> None:
    """Check the origin of a record, and that its kind may occur at this place of the log."""
    event, place = record.event, place_of(state)
    need(event.is_input == (record.origin != ROOM), "inputs have an origin, others have none")
    need(place in places_of(type(event)), f"a {event.tag} has no place here")
    check_place(state, record)


def check_table_order(state: State, record: Record) -> None:
    """Check the order of inputs and their consequences; called after `check_log_order`."""
    event = record.event
    if event.is_input:
        # A branch interrupts its source at a checkpoint, in the middle of a batch.
        may_come = state.last is None or waits(state) or isinstance(event, events.Branched)
        need(may_come, "what came before it is not finished")
        return
    if state.due is not None:
        need(isinstance(event, state.due), f"a {state.due.tag} is due")
        return
    # Before the check for kinds that must be due: this `settled` follows from the stops.
    if is_passed(state, event):
        return
    need(not isinstance(event, _WHERE_DUE), "nothing before calls for it")
    # The new owner of a seat is asked the open question again, to be able to read it.
    is_again = isinstance(event, events.Asked) and state.came(events.SeatGiven)
    is_exception = is_again or isinstance(event, events.Corrected | events.PassedStanding)
    is_between = state.room.ask is None or is_exception
    # While a question is open nothing changes that it shows, or its choices would not be true.
    need(is_between, "a question is open, and nothing happens before its answer")


def agreed(room: RoomTable) -> Aim | None:
    """Return the content of the open proposal if all have consented to it."""
    if room.proposal is None or set(voices(room)) - set(room.proposal.consents):
        return None
    return room.proposal.aim


def voices(room: RoomTable) -> tuple[int, ...]:
    """Return the seats whose consent the open proposal needs, its proposer left out."""
    proposal = room.proposal
    if proposal is None:
        return ()
    people = [s for s in room.seats.values() if s.key and not s.is_bot and s.seat != proposal.by]
    # One key may have several seats of a branch; its consent was given by proposing.
    people = [s for s in people if s.key != room.seats[proposal.by].key]
    # Absent seats have no say when a seat is given away: two dead laptops would block each other.
    if not needs_absent(room):
        people = [s for s in people if s.is_present]
    return tuple(s.seat for s in people)
