"""Named bombs: refused with a code, at little cost, on either side and before the login."""

import time
import tracemalloc
from collections.abc import Callable
from typing import Final

import pytest

from protocol import codec
from protocol.bounds import MAX_ITEMS_OF_CLIENT, MAX_ITEMS_OF_SERVER
from protocol.errors import Malformed, OverLimit, ProtocolError
from protocol.frames import (
    LENGTH_BYTES,
    LIMIT_AFTER_LOGIN,
    LIMIT_BEFORE_LOGIN,
    FrameDecoder,
    encode_frame,
)
from protocol.login import Login, decode_login
from protocol.messages import Sender, decode_message
from tests.protocol.bombs import BOMBS

pytestmark = pytest.mark.issue(13)

MOST_BYTES: Final = 1 << 20
MOST_SECONDS: Final = 0.005
READERS: Final[dict[str, Callable[[bytes], object]]] = {
    "of a client": lambda data: decode_message(data, Sender.CLIENT),
    "of a server": lambda data: decode_message(data, Sender.SERVER),
    "of a login": lambda data: decode_login(data, Login),
}


def _refused(read: Callable[[bytes], object], data: bytes) -> ProtocolError | None:
    try:
        read(data)
    except ProtocolError as error:
        return error
    return None


def _peak_bytes(read: Callable[[bytes], object], data: bytes) -> int:
    """Return the peak memory of reading, without the input."""
    _refused(read, data)
    tracemalloc.start()
    try:
        _refused(read, data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_a_mebibyte(name: str, reader: str) -> None:
    error = _refused(READERS[reader], BOMBS[name])

    assert isinstance(error, ProtocolError)
    assert error.code.startswith("protocol/")
    assert _peak_bytes(READERS[reader], BOMBS[name]) < MOST_BYTES


@pytest.mark.parametrize(
    ("read", "most"),
    [(READERS["of a client"], MAX_ITEMS_OF_CLIENT), (READERS["of a server"], MAX_ITEMS_OF_SERVER)],
)
def test_the_items_of_a_message_are_counted_over_all_its_arrays(
    read: Callable[[bytes], object], most: int
) -> None:
    half = (most - 2) // 2
    allowed = codec.pack(((None,) * half, (None,) * half))
    beyond = codec.pack(((None,) * half, (None,) * (half + 1)))

    assert isinstance(_refused(read, allowed), Malformed)
    assert isinstance(_refused(read, beyond), OverLimit)


def test_reading_without_a_limit_of_depth_is_seen() -> None:
    """The peak memory without the limit shows that the test above can fail."""

    def careless(data: bytes) -> object:
        return [[item] for item in data]

    assert _peak_bytes(careless, BOMBS["nothing, as often as a frame holds it"]) > MOST_BYTES


@pytest.mark.parametrize("limit", [LIMIT_BEFORE_LOGIN, LIMIT_AFTER_LOGIN])
def test_a_frame_at_the_exact_limit_is_read_and_one_byte_more_is_refused(limit: int) -> None:
    (payload,) = FrameDecoder(limit).feed(encode_frame(bytes(limit), limit=limit))
    assert len(payload) == limit

    with pytest.raises(OverLimit):
        FrameDecoder(limit).feed((limit + 1).to_bytes(LENGTH_BYTES, "big"))


def test_a_declared_length_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        decoders = [FrameDecoder(LIMIT_AFTER_LOGIN) for _ in range(100)]
        for decoder in decoders:
            assert decoder.feed(LIMIT_AFTER_LOGIN.to_bytes(LENGTH_BYTES, "big") + b"x") == []
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 100 * 4096


def test_empty_frames_are_refused_at_the_first() -> None:
    with pytest.raises(Malformed):
        FrameDecoder(LIMIT_AFTER_LOGIN).feed(bytes(LENGTH_BYTES) * 10_000)


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_five_milliseconds(name: str, reader: str) -> None:
    """The least CPU time of seven runs leaves out the machine's other load."""
    least = min(_cpu_seconds(READERS[reader], BOMBS[name]) for _ in range(7))

    assert least < MOST_SECONDS


def _cpu_seconds(read: Callable[[bytes], object], data: bytes) -> float:
    began = time.process_time()
    _refused(read, data)
    return time.process_time() - began
