"""Rules of branches: where the source's records end, and the source's seeds, which they open."""

from protocol import codec
from protocol.commitments import Opening, commit
from protocol.common import events
from protocol.common.chance import SEED_BYTES, Stream, commitment_of_setup, keys_of, seed_in
from protocol.common.table import Branch
from protocol.errors import ProtocolError
from protocol.event import Record, Sealed
from protocol.validity.state import State, log_rule, need, table_rule
from protocol.values import evolve

CHECKPOINTS = (events.GameStarted, events.CheckpointReached, events.TakenBack)
"""Kinds after which a branch may begin."""


def check_place(state: State, record: Record) -> None:
    """Check that the records of the source end exactly where `room_opened` says."""
    source = state.room.source
    is_end = source is not None and record.sequence == source.sequence + 1
    need(
        is_end == isinstance(record.event, events.Branched),
        "the records of the source end elsewhere",
    )


def check_end(state: State) -> None:
    """Check that a log has more than the records of its source."""
    need(
        state.room.source is None or state.has_branched,
        "the log ends among the records of its source",
        "unfinished",
    )


@log_rule(events.Branched)
def _branched(state: State, _record: Record, branched: events.Branched) -> None:
    room = state.room
    need(branched.seat in room.seats, "there is no such seat")
    need(state.came(*CHECKPOINTS), "a branch begins behind no checkpoint")
    # A branch opens the seeds of its source, which the settings of the source must allow.
    need(room.settings.publish, "the source keeps its log")
    assert room.play_seed is not None and room.house_seed is not None  # noqa: PT018 (one thing)
    sealed = room.play_seed, room.house_seed
    refs = [(seed.sequence, seed.slot) for seed in branched.seeds]
    need(refs == [one.ref for one in sealed], "it opens others than the seeds of its source")
    sizes = (SEED_BYTES, 0 if room.fixed_setup else SEED_BYTES)
    for seed, mine, size in zip(branched.seeds, sealed, sizes, strict=True):
        value = _value(seed)
        need(len(value) == size, "a seed of another length", "chance")
        need(not mine.is_open or mine.value == value, "it repeats another seed", "chance")
    fixed, setup = room.fixed_setup, branched.setup
    need((fixed is None) == (setup is None), "it opens no setup, or one that is none", "chance")
    if fixed is not None and setup is not None:
        need(
            _fixes(setup) == fixed.commitment,
            "it opens another setup than the one that was fixed",
            "chance",
        )


@table_rule(events.Branched)
def _branched_by(_state: State, record: Record, branched: events.Branched) -> None:
    need(record.origin == branched.seat, "it did not come from the seat that it is about")
    need(branched.key, "nobody plays on")


def _value(seed: events.SourceSeed) -> bytes:
    try:
        value = codec.unpack(seed.value)
    except ProtocolError:
        value = None
    need(isinstance(value, bytes), "it opens a seed that is none", "chance")
    assert isinstance(value, bytes)
    return value


def keys_of_source(state: State) -> dict[Stream, bytes]:
    """
    Return the keys of the source's chance, from the seeds that `branched` opens.

    Empty if the seeds are missing or invalid, which the rules of `branched` report. The keys are
    salted with the commitments of the source, which are computed from these seeds. Only the log of
    the source can prove that it had these (`protocol.source_audit`).
    """
    source = state.room.source
    assert source is not None
    found = next(iter(state.records[source.sequence + 1 : source.sequence + 2]), None)
    if found is None or not isinstance(found.event, events.Branched):
        return {}
    # What is wrong with these seeds is named where they stand; draws are only counted then.
    if len(found.event.seeds) != 2:
        return {}
    play, house = found.event.seeds
    as_there = evolve(
        state.room,
        room_id=source.room_id,
        play_seed=_as_committed(source, play),
        house_seed=_as_committed(source, house),
    )
    fixed, setup = state.room.fixed_setup, found.event.setup
    known = seed_in(play.value)
    own = seed_in(house.value)
    if known is None or (fixed is None and own is None):
        return {}
    if fixed is not None:
        own = setup.seed if setup is not None and _fixes(setup) == fixed.commitment else None
    return keys_of(as_there, known, own, head=b"")


def _fixes(setup: events.SourceSetup) -> bytes:
    return commitment_of_setup(setup.salt, setup.seed)


def _as_committed(source: Branch, seed: events.SourceSeed) -> Sealed[bytes]:
    """Return a seed of the source as it was sealed on the log of the source: not open."""
    opening = Opening(seed.salt, seed.value)
    commitment = commit(source.room_id, seed.sequence, seed.slot, opening)
    return Sealed((), commitment, (seed.sequence, seed.slot))
