"""Events: each seat is sent what it may know and nothing else, and can verify all of it."""

import itertools
from collections.abc import Callable
from typing import Any, cast

import attrs
import pytest

from protocol import codec
from protocol.commitments import (
    SALT_BYTES,
    Opening,
    check,
    commit,
    first_head,
    head_of,
    next_head,
)
from protocol.errors import BadCommitment, Malformed, ProtocolError, SealedError, UnknownTag
from protocol.event import (
    Cut,
    Event,
    Record,
    Stored,
    cut,
    event,
    everything,
    hidden,
    kinds,
    openings_of,
    read,
    upcast,
)
from protocol.event_contents import shown_strings
from protocol.sealing import seal
from protocol.upcasts import Change, Constant, Kept
from tests.kit.closing import close_for
from tests.protocol.kinds import Dealt, Moved, Party, Shared, Told

ROOM = "room"
TOLD = Told(2, "ann", hidden("only two"), hidden(("one", "three")), hidden(7), hidden("all"))
DEALT = Dealt(1, {3: hidden("three"), 0: hidden("zero")}, "end")

upcast("test/moved", "test/moved/1", Change(("who",), {"goal": Constant("hall")}))
upcast(
    "test/moved/1",
    "test/moved/2",
    Change(("who", "goal"), {"to": Kept("goal"), "steps": Constant(1)}),
)


def salts() -> Callable[[], bytes]:
    """Return a source of distinct salts, the same in each run."""
    numbers = itertools.count()
    return lambda: next(numbers).to_bytes(SALT_BYTES, "big")


def sealed(happened: Event, sequence: int = 5) -> tuple[Stored, Record]:
    """Seal an event as a room would."""
    return seal(
        happened,
        room_id=ROOM,
        sequence=sequence,
        time=1_700_000_000_000,
        origin=2,
        knowers=Party(),
        new_salt=salts(),
    )


def told_as_seen_by(seat: int | None) -> Told:
    """Return the sample event as a viewer reads it."""
    happened = read(ROOM, cut(sealed(TOLD)[0], seat)).event
    assert isinstance(happened, Told)
    return happened


def test_the_server_reads_everything() -> None:
    _, record = sealed(TOLD)

    assert (record.sequence, record.time, record.origin) == (5, 1_700_000_000_000, 2)
    told = record.event
    assert isinstance(told, Told)
    assert (told.private.value, told.shared.value) == ("only two", ("one", "three"))
    assert (told.nobodys.value, told.tables.value) == (7, "all")
    assert told.private.audience == (2,)
    assert told.shared.audience == (1, 3)
    assert told.nobodys.audience == ()
    assert told.tables.audience == (0, 1, 2, 3)
    assert [s.ref for s in (told.private, told.nobodys)] == [(5, 0), (5, 2)]


@pytest.mark.parametrize(
    ("seat", "knows"),
    [
        (0, (False, False, False, True)),
        (1, (False, True, False, True)),
        (2, (True, False, False, True)),
        (3, (False, True, False, True)),
        (9, (False, False, False, False)),
        (None, (False, False, False, False)),
    ],
)
def test_a_cut_opens_what_its_seat_may_know(seat: int | None, knows: tuple[bool, ...]) -> None:
    told = told_as_seen_by(seat)

    assert (
        told.private.is_open,
        told.shared.is_open,
        told.nobodys.is_open,
        told.tables.is_open,
    ) == knows


def test_a_cut_holds_no_bytes_of_other_secrets() -> None:
    stored, _ = sealed(TOLD)
    shown = cut(stored, 0)
    sent = codec.encode(shown, Cut)

    assert b"all" in sent
    assert b"only two" not in sent
    assert b"three" not in sent
    assert sorted(shown_strings(shown)) == ["all", "ann", "test/told"]


def test_a_sealed_value_raises_on_use() -> None:
    told = told_as_seen_by(None)

    with pytest.raises(SealedError):
        _ = told.private.value
    assert "only two" not in repr(sealed(TOLD)[1])


def test_all_viewers_read_the_same_public_bytes() -> None:
    """All viewers must compute the same head."""
    stored, _ = sealed(TOLD)

    assert {cut(stored, seat).public for seat in (None, 0, 1, 2, 3)} == {stored.public}


def test_each_seat_gets_its_own_entry_of_a_mapping() -> None:
    stored, record = sealed(DEALT)
    happened = read(ROOM, cut(stored, 3)).event
    assert isinstance(happened, Dealt)
    assert isinstance(record.event, Dealt)

    assert (happened.before, happened.after) == (1, "end")
    assert {seat: hand.is_open for seat, hand in happened.hands.items()} == {0: False, 3: True}
    assert happened.hands[3].value == "three"
    assert {seat: hand.audience for seat, hand in record.event.hands.items()} == {0: (0,), 3: (3,)}


def test_an_empty_mapping_has_no_secrets() -> None:
    stored, record = sealed(Dealt(1, {}))

    assert isinstance(record.event, Dealt)
    assert record.event.hands == {}
    assert openings_of(stored) == ()


def test_a_field_may_name_several_knowers() -> None:
    _, record = sealed(Shared((3, 0), hidden("word")))

    assert isinstance(record.event, Shared)
    assert record.event.word.audience == (0, 3)


def test_a_new_owner_is_not_shown_what_was_before() -> None:
    stored, _ = sealed(TOLD, sequence=5)

    assert cut(stored, 2, since=6).openings == ()
    assert len(cut(stored, 2, since=5).openings) == 2


@pytest.mark.parametrize("seat", [None, 0, 1, 2, 3])
def test_reading_a_cut_is_closing_what_was_read(seat: int | None) -> None:
    stored, record = sealed(TOLD)

    assert read(ROOM, cut(stored, seat)) == close_for(record, seat)


def test_an_opening_for_another_slot_is_refused() -> None:
    stored, _ = sealed(TOLD)
    mine = openings_of(stored)[0]

    with pytest.raises(BadCommitment):
        read(ROOM, Cut(stored.public, ((1, mine),)))


@pytest.mark.parametrize("slot", [-1, 4, 100])
def test_an_opening_for_no_slot_is_refused(slot: int) -> None:
    stored, _ = sealed(TOLD)

    with pytest.raises(BadCommitment):
        read(ROOM, Cut(stored.public, ((slot, openings_of(stored)[0]),)))


def test_a_slot_opened_twice_is_refused() -> None:
    stored, _ = sealed(TOLD)
    mine = openings_of(stored)[0]

    with pytest.raises(BadCommitment):
        read(ROOM, Cut(stored.public, ((0, mine), (0, mine))))


def test_openings_out_of_order_are_refused() -> None:
    """Slots ascend, so that each cut has one form."""
    stored, _ = sealed(TOLD)
    first, second, *_ = everything(stored).openings

    read(ROOM, Cut(stored.public, (first, second)))
    with pytest.raises(BadCommitment):
        read(ROOM, Cut(stored.public, (second, first)))


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_commitment_of_another_length_is_refused(length: int) -> None:
    stored, _ = sealed(TOLD)
    *parts, secrets = cast("tuple[Any, ...]", codec.unpack(stored.public))
    audience, _commitment = secrets[0]
    public = codec.pack((*parts, ((audience, bytes(length)), *secrets[1:])))

    with pytest.raises(Malformed):
        read(ROOM, Cut(public, ()))


@pytest.mark.parametrize(
    "change",
    [
        lambda o: attrs.evolve(o, value=codec.pack("only you")),
        lambda o: attrs.evolve(o, salt=bytes(SALT_BYTES - 1) + b"\1"),
        lambda o: attrs.evolve(o, salt=b""),
        lambda o: attrs.evolve(o, salt=o.salt + b"\0"),
    ],
    ids=["value", "salt", "no salt", "longer salt"],
)
def test_a_changed_opening_is_refused(change: Callable[[Opening], Opening]) -> None:
    stored, _ = sealed(TOLD)

    with pytest.raises(BadCommitment):
        read(ROOM, Cut(stored.public, ((0, change(openings_of(stored)[0])),)))


def test_an_opening_of_another_room_or_event_is_refused() -> None:
    stored, _ = sealed(TOLD)

    with pytest.raises(BadCommitment):
        read("other room", everything(stored))
    with pytest.raises(BadCommitment):
        check(commit(ROOM, 1, 0, Opening(bytes(32), b"v")), ROOM, 2, 0, Opening(bytes(32), b"v"))


def test_a_committed_value_of_another_type_is_malformed() -> None:
    opening = Opening(bytes(SALT_BYTES), codec.pack(5))
    public = codec.pack((5, 0, -1, "test/shared", ((0,),), (((0,), commit(ROOM, 5, 0, opening)),)))

    with pytest.raises(Malformed):
        read(ROOM, Cut(public, ((0, opening),)))


@pytest.mark.parametrize(
    "public",
    [
        None,
        (),
        (1, 2, 3, "test/moved/2", ("a", "b", 1)),
        (1, 2, 3, "test/moved/2", ("a", "b"), ()),
        (1, 2, 3, "test/moved/2", ("a", "b", 1, 1), ()),
        (1, 2, 3, "test/moved/2", ("a", "b", "c"), ()),
        (1, 2, 3, "test/moved/2", ("a", "b", -1), ()),
        (1, 2, 3, "test/moved/2", ("a", "b", 1), (((0,), b"c"),)),
        (1, 2, 3, "test/moved/2", None, ()),
        (1, 2, "3", "test/moved/2", ("a", "b", 1), ()),
        (1, 2, 3, "test/shared", ((0,),), ()),
        (1, 2, 3, "test/shared", ((0,),), ((0, b"c"),)),
        (1, 2, 3, "test/dealt", (1, (0, "1"), ""), ()),
    ],
)
def test_a_record_of_another_shape_is_malformed(public: codec.Plain) -> None:
    with pytest.raises(Malformed):
        read(ROOM, Cut(codec.pack(public), ()))


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(UnknownTag, match="test/never"):
        read(ROOM, Cut(codec.pack((1, 2, 3, "test/never", (), ())), ()))


@pytest.mark.parametrize(
    ("tag", "fields"),
    [
        ("test/moved", ("ann",)),
        ("test/moved/1", ("ann", "hall")),
        ("test/moved/2", ("ann", "hall", 1)),
    ],
)
def test_old_records_are_read_as_new_ones(tag: str, fields: tuple[codec.Plain, ...]) -> None:
    record = read(ROOM, Cut(codec.pack((1, 2, -1, tag, fields, ())), ()))

    assert record.event == Moved("ann", "hall", 1)


def test_a_tag_is_taken_once() -> None:
    with pytest.raises(ValueError, match="taken"):
        upcast("test/told", "test/moved/2", Change(("who", "to", "steps")))
    with pytest.raises(ValueError, match="tag"):
        event("test/told")(type("Again", (Event,), {}))
    assert kinds()["test/told"] is Told


def test_mutated_records_raise_protocol_errors_alone() -> None:
    stored, _ = sealed(TOLD)
    openings = everything(stored).openings
    for at, change in itertools.product(range(len(stored.public)), (1, 0x80, 0xFF)):
        public = bytearray(stored.public)
        public[at] ^= change
        try:
            read(ROOM, Cut(bytes(public), openings))
        except ProtocolError:
            continue


def test_the_chain_depends_on_room_order_and_every_byte() -> None:
    records = [b"one", b"two"]

    assert head_of("r", records) == next_head(next_head(first_head("r"), b"one"), b"two")
    others = [head_of("s", records), head_of("r", [b"two", b"one"]), head_of("r", [b"one"])]
    assert head_of("r", records) not in others
