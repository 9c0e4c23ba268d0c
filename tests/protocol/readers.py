"""
Readers of what strangers send, each as a function of bytes, with what it may be begun from.

Whatever bytes a reader is given, it returns or raises one of `REFUSALS`; anything else is a fault
of ours. Mutated input and `make fuzz` both go through here.
"""

import functools
import lzma
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

import tests.kernel.toy  # noqa: F401 (the file is of a game of the toy)
from protocol.archive import BadArchive, load
from protocol.brief import BriefReader, BriefWriter, segments_of
from protocol.errors import ProtocolError
from protocol.frames import LENGTH_BYTES, LIMIT_AFTER_LOGIN, FrameDecoder, encode_frame
from protocol.invitation import parse_address, parse_code, parse_invitation
from protocol.keys import Unreadable, parse_fingerprint
from protocol.messages import BriefRecords, Records, Sender, decode_message, encode_message
from tests.protocol.test_login import client, server
from tests.protocol.test_messages import SAMPLES

REFUSALS: Final = (ProtocolError, BadArchive, Unreadable)
KEPT: Final = Path(__file__).parents[1] / "verifying" / "kept"


@attrs.frozen
class Reader:
    """Something that reads what strangers send."""

    read: Callable[[bytes], object]
    """Raises one of `REFUSALS`, or returns what was understood."""
    begin: Callable[[], Sequence[bytes]]
    """Returns what it understands, for mutations to begin from."""


def read_stream(stream: bytes, side: Sender, sizes: Sequence[int] = (1 << 20,)) -> Iterator[None]:
    """
    Read messages as one end of a connection does; yield for each that was understood.

    Args:
        stream: of frames, up to where they make no sense any more.
        side: who says them.
        sizes: of the slices in which it arrives, in turn.
    """
    decoder, brief = FrameDecoder(LIMIT_AFTER_LOGIN), BriefReader()
    at, turn = 0, 0
    while at < len(stream):
        part = stream[at : at + sizes[turn % len(sizes)]]
        at, turn = at + len(part), turn + 1
        for payload in decoder.feed(part):
            _understand(payload, side, brief)
            yield
        if decoder.waiting_bytes > LENGTH_BYTES + LIMIT_AFTER_LOGIN:
            raise AssertionError("more than one permitted frame is held")


def _understand(payload: bytes, side: Sender, brief: BriefReader) -> None:
    if side is Sender.CLIENT:
        decode_message(payload, Sender.CLIENT)
    else:
        brief.read(decode_message(payload, Sender.SERVER))


@functools.cache
def _streams(side: Sender) -> Sequence[bytes]:
    # The samples of records are made up, and no log has such.
    said = [one for one in SAMPLES if one.side is side and not isinstance(one, BriefRecords)]
    payloads = [encode_message(one) for one in said if not isinstance(one, Records)]
    if side is Sender.SERVER:
        payloads += _records()
    return [b"".join(map(encode_frame, payloads))]


def _records() -> Iterator[bytes]:
    """Yield messages with records of a game, later ones of which name what was sent before."""
    game, writer = load(_file()), BriefWriter()
    for first in range(0, 80, 10):
        segments = segments_of(game.cuts[first : first + 10])
        yield writer.payload(game.header.room_id, segments)


@functools.cache
def _file() -> bytes:
    return lzma.decompress((KEPT / "windows.manse.xz").read_bytes())


def _read_login(data: bytes) -> object:
    one = server()
    one.hello()
    return one.receive(data)


def _read_text(data: bytes) -> object:
    text = data.decode("utf-8", "replace")
    found: list[object] = []
    for parse in (parse_invitation, parse_code, parse_address, parse_fingerprint):
        try:
            found.append(parse(text))
        except REFUSALS:
            continue
    return found


def _texts() -> Sequence[bytes]:
    line = "haunt.example:4470 3fqz-uyha-7yut-2m5c-hpxa-vyae-q4ox-dxlb-3zgk-kj5m-2vdx-xy4a-olqa"
    return [line.encode(), b"manse join " + line.encode() + b" abcd-efgh-2345-6777", b"[::1]:4470"]


READERS: Final[Mapping[str, Reader]] = {
    "client's messages": Reader(
        lambda data: list(read_stream(data, Sender.CLIENT)), lambda: _streams(Sender.CLIENT)
    ),
    "server's messages": Reader(
        lambda data: list(read_stream(data, Sender.SERVER)), lambda: _streams(Sender.SERVER)
    ),
    "login": Reader(_read_login, lambda: [client().receive(server().hello()) or b""]),
    "hello": Reader(lambda data: client().receive(data), lambda: [server().hello()]),
    "archive": Reader(load, lambda: [_file()[:6000]]),
    "text": Reader(_read_text, _texts),
}


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Change a few bytes, cut some out, double some, or put some in."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(changed) + 1)
        end = min(len(changed), at + dice.randint(1, 6))
        match dice.randrange(5):
            case 0 if at < len(changed):
                changed[at] ^= 1 << dice.randrange(8)
            case 1:
                del changed[at:end]
            case 2:
                changed[at:at] = changed[at:end]
            case 3:
                changed[at:at] = dice.randbytes(end - at)
            case _:
                changed[at:end] = dice.choice([b"\xff", b"\x00", b"\xdd", b"\xc7\x00\x05", b"\x81"])
    return bytes(changed)
