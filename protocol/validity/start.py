"""
Rules of the start: the order in which seeds and shares are committed to and opened.

The keys of chance are fair if the server cannot choose its seeds after it has seen a share, and no
seat its share after it has seen another share. So all commit before any opens.
"""

from protocol.common import events
from protocol.common.chance import SEED_BYTES, SeededChance, keys_of
from protocol.common.signed import commitment_of_share, is_share_signed
from protocol.common.table import SIGNED_VERSION, Ceremony
from protocol.event import Record
from protocol.validity.branching import keys_of_source
from protocol.validity.form import by_clock, by_seat
from protocol.validity.state import State, effect, log_rule, need, table_rule
from protocol.values import evolve


@effect(events.StartRequested, events.Branched)
def _seeds_are_due(
    state: State, _record: Record, _start: events.StartRequested | events.Branched
) -> None:
    state.due = events.SeedsCommitted


@log_rule(events.SeedsCommitted)
def _committed(state: State, _record: Record, seeds: events.SeedsCommitted) -> None:
    # A fixed setup has its own seed. A second one here would be a choice left to the server.
    house = SEED_BYTES if state.room.fixed_setup is None else 0
    for sealed, length in ((seeds.play_seed, SEED_BYTES), (seeds.house_seed, house)):
        has_length = not sealed.is_open or len(sealed.value) == length
        need(has_length, "a seed of another length", "chance")


def _ceremony(state: State) -> Ceremony:
    ceremony = state.room.ceremony
    need(ceremony is not None, "no start is going on")
    assert ceremony is not None
    return ceremony


@log_rule(events.ShareCommitted)
def _share_committed(state: State, _record: Record, share: events.ShareCommitted) -> None:
    ceremony = _ceremony(state)
    need(share.seat in state.room.seats, "there is no such seat")
    # A second commitment could be made with knowledge of the shares of others.
    need(share.seat not in ceremony.commitments, "the seat committed itself before")
    # A copy could never be opened, since a commitment names its seat; so the copy is to blame.
    is_own = state.room.version < SIGNED_VERSION or (
        share.commitment not in ceremony.commitments.values()
    )
    need(is_own, "a share of chance is copied from another seat", "chance")


@log_rule(events.ShareOpened)
def _share_opened(state: State, _record: Record, share: events.ShareOpened) -> None:
    ceremony = _ceremony(state)
    all_committed = len(ceremony.commitments) == len(state.room.seats)
    need(all_committed, "a share is opened before all are bound", "chance")
    need(share.seat not in ceremony.shares, "the seat opened its share before")
    room, own = state.signed_room, (share.seat, share.share, share.number, share.before)
    is_bound = commitment_of_share(room, *own) == ceremony.commitments.get(share.seat)
    need(is_bound, "a share of chance is not the one bound before", "chance")
    # Those of a source are signed for seeds in its own commitments, which its own log has.
    is_said = state.is_of_source or is_share_signed(room, *own, share.signature)
    need(is_said, "the seat did not sign its share as the one opened here", "chance")


@effect(events.ShareOpened)
def _start_is_due(state: State, _record: Record, _share: events.ShareOpened) -> None:
    ceremony = _ceremony(state)
    if len(ceremony.shares) == len(state.room.seats):
        state.due = events.BranchStarted if state.has_branched else events.GameStarted


@table_rule(events.ShareCommitted, events.ShareOpened)
def _own_share(
    state: State, record: Record, share: events.ShareCommitted | events.ShareOpened
) -> None:
    by_seat(state, record, share.seat)


@table_rule(events.StartFailed)
def _failed_by_the_clock(state: State, record: Record, failed: events.StartFailed) -> None:
    ceremony = _ceremony(state)
    need(not state.has_branched, "the start of a branch, which waits for its player, has failed")
    by_clock(record)
    # The clock names exactly those who are late, or a host could empty a seat that was in time.
    given = ceremony.commitments
    if len(given) == len(state.room.seats):
        given = ceremony.shares
    missing = tuple(seat for seat in state.room.seats if seat not in given)
    need(failed.missing == missing, "those missing are others")


@log_rule(events.GameStarted)
def _started(state: State, _record: Record, started: events.GameStarted) -> None:
    seats = events.players_of(state.room)
    # Which role is the first, the game knows alone; here all seats without a claim must agree.
    of_none = {now.role for now, seat in zip(started.players, seats, strict=False) if not seat.role}
    need(len(of_none) <= 1, "seats that claimed no role have several")
    [first] = of_none or {""}
    players = tuple(evolve(seat, role=seat.role or first) for seat in seats)
    need(started.players == players, "others play than sit there, or in other roles")
    _make_keys(state)


@log_rule(events.BranchStarted)
def _branch_started(state: State, _record: Record, _started: events.BranchStarted) -> None:
    _make_keys(state)


def _make_keys(state: State) -> None:
    """
    Derive the keys of chance whose seeds are known.

    In the records that a branch repeats, these are the keys of the source.
    """
    room = state.room
    assert room.play_seed is not None and room.house_seed is not None  # noqa: PT018 (one thing)
    if room.source is not None and not state.has_branched:
        keys = keys_of_source(state)
    else:
        play, house = state.seeds.get(room.play_seed.ref), state.seeds.get(room.house_seed.ref)
        if room.fixed_setup is not None:
            house = state.setups.get(room.fixed_setup.commitment)
        keys = keys_of(room, play, house, state.head)
    state.chances = {stream: SeededChance(key) for stream, key in keys.items()}
