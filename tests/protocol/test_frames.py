"""Frames: payloads do not depend on how bytes arrive, and their lengths are limited."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Malformed, OverLimit
from protocol.frames import LIMIT_AFTER_LOGIN, LIMIT_BEFORE_LOGIN, FrameDecoder, encode_frame

PAYLOADS = [b"a", b"bb" * 200, b"\x00" * LIMIT_BEFORE_LOGIN]


def test_a_frame_is_its_length_and_its_payload() -> None:
    assert encode_frame(b"abc") == b"\x00\x00\x00\x03abc"


@pytest.mark.parametrize("size", [1, 2, 3, 5, 4096, 1 << 20])
def test_payloads_come_out_whole_in_any_slices(size: int) -> None:
    stream = b"".join(encode_frame(payload) for payload in PAYLOADS)
    decoder = FrameDecoder()

    read = [
        payload
        for at in range(0, len(stream), size)
        for payload in decoder.feed(stream[at : at + size])
    ]

    assert read == PAYLOADS
    assert decoder.waiting_bytes == 0


@pytest.mark.parametrize("first", range(1, 8))
@pytest.mark.parametrize("second", range(1, 8))
def test_a_frame_split_in_three_comes_out_whole(first: int, second: int) -> None:
    stream = encode_frame(b"0123456789abc")
    parts = stream[:first], stream[first : first + second], stream[first + second :]
    decoder = FrameDecoder()

    assert [decoder.feed(part) for part in parts] == [[], [], [b"0123456789abc"]]


@given(st.lists(st.binary(min_size=1, max_size=300)), st.lists(st.integers(1, 50)))
def test_any_cuts_give_the_same_payloads(payloads: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(map(encode_frame, payloads))
    decoder, read = FrameDecoder(), []
    for cut in cuts:
        read += decoder.feed(stream[:cut])
        stream = stream[cut:]

    assert read + decoder.feed(stream) == payloads


def test_a_length_over_the_limit_is_refused_at_once() -> None:
    decoder = FrameDecoder()

    with pytest.raises(OverLimit):
        decoder.feed((LIMIT_BEFORE_LOGIN + 1).to_bytes(4, "big"))

    assert decoder.waiting_bytes == 0


def test_a_broken_stream_stays_broken() -> None:
    decoder = FrameDecoder()
    with pytest.raises(OverLimit):
        decoder.feed(b"\xff\xff\xff\xff")

    with pytest.raises(OverLimit):
        decoder.feed(encode_frame(b"fine"))


def test_an_empty_frame_is_refused() -> None:
    with pytest.raises(Malformed):
        FrameDecoder().feed(b"\0\0\0\0")


def test_a_raised_limit_holds_from_the_next_frame_on() -> None:
    decoder = FrameDecoder()
    stream = encode_frame(b"login") + encode_frame(b"x" * LIMIT_AFTER_LOGIN)

    first = decoder.feed_one(stream)
    decoder.raise_limit(LIMIT_AFTER_LOGIN)

    assert first == b"login"
    assert decoder.feed_one() == b"x" * LIMIT_AFTER_LOGIN


def test_a_limit_is_never_lowered() -> None:
    with pytest.raises(ValueError, match="never lowered"):
        FrameDecoder().raise_limit(LIMIT_BEFORE_LOGIN - 1)


@pytest.mark.parametrize("payload", [b"", b"x" * (LIMIT_AFTER_LOGIN + 1)])
def test_what_no_peer_accepts_is_not_encoded(payload: bytes) -> None:
    with pytest.raises(ValueError, match="limit"):
        encode_frame(payload)
