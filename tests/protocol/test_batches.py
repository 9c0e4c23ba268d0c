"""Batches: whatever is to be said goes into frames, whole and in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from protocol.batches import (
    MAX_RECORD_BYTES,
    check_record,
    export_in_parts,
    records_in_batches,
    words_in_batches,
)
from protocol.bounds import MAX_CUTS, MAX_TEMPLATE
from protocol.commitments import Opening
from protocol.errors import OverLimit
from protocol.event import Cut, Stored
from protocol.frames import encode_frame
from protocol.messages import encode_message

ROOM = "🙂" * 64

CUTS = st.builds(
    Cut,
    st.integers(0, 40_000).map(bytes),
    st.lists(
        st.tuples(st.integers(0, 9), st.builds(Opening, st.just(b"s" * 32), st.binary())),
        max_size=3,
    ).map(tuple),
)


@given(st.lists(CUTS, max_size=12))
def test_records_stay_in_order_and_every_batch_fits(cuts: list[Cut]) -> None:
    """Nothing is lost, doubled or moved."""
    batches = list(records_in_batches(ROOM, cuts))

    for batch in batches:
        encode_frame(encode_message(batch))
    assert [cut for batch in batches for cut in batch.cuts] == cuts


def test_many_small_records_are_split_by_number() -> None:
    """Also where they would fit."""
    batches = list(records_in_batches("room", [Cut(b"p", ())] * (MAX_CUTS + 1)))

    assert [len(batch.cuts) for batch in batches] == [MAX_CUTS, 1]


def test_the_largest_record_fits_alone() -> None:
    """What `check_record` lets pass, a frame carries."""
    openings = codec.pack(((b"s" * 32, b"v" * 1000),) * 40)
    room_left = MAX_RECORD_BYTES - 40 * 1047
    stored = Stored(b"p" * room_left, openings)
    check_record(stored)

    cut = Cut(stored.public, tuple((n, Opening(b"s" * 32, b"v" * 1000)) for n in range(40)))

    encode_frame(encode_message(next(records_in_batches(ROOM, [cut]))))


def test_a_record_that_fits_no_frame_is_refused_before_it_is_stored() -> None:
    """The kernel asks first."""
    with pytest.raises(OverLimit):
        check_record(Stored(b"p" * MAX_RECORD_BYTES, codec.pack(())))


def test_words_of_any_number_fit() -> None:
    """A subject that is too long for one message is continued in the next."""
    words = {f"s/{n}": {"name": "n", "text": "🙂" * MAX_TEMPLATE} for n in range(5)}

    said = list(words_in_batches("en", words))

    read: dict[str, dict[str, str]] = {}
    for message in said:
        encode_frame(encode_message(message))
        for subject, fields in message.subjects:
            read.setdefault(subject, {}).update(fields)
    assert read == words


@pytest.mark.parametrize("length", [0, 1, 48 * 1024, 48 * 1024 + 1, 200_000])
def test_a_file_is_its_parts_in_order(length: int) -> None:
    """The last one says so; an empty file is one empty part."""
    data = bytes(n % 251 for n in range(length))

    parts = list(export_in_parts(1, ROOM, data))

    assert b"".join(part.data for part in parts) == data
    assert [part.is_last for part in parts] == [False] * (len(parts) - 1) + [True]
    assert [part.index for part in parts] == list(range(len(parts)))
