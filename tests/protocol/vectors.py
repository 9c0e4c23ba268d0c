"""
Test vectors: what `PROTOCOL.md` shows in hexadecimal, made by the code that it describes.

`python -m tests.protocol.vectors protocol/PROTOCOL.md` writes them into the document.
"""

import itertools
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from protocol import codec
from protocol.batches import records_in_batches
from protocol.commitments import Opening, commit, first_head, next_head
from protocol.common.events import Chatted, ReadySet
from protocol.common.table import Settings
from protocol.describe import updated
from protocol.event import Cut, Stored, cut, hidden, openings_of, seal
from protocol.frames import encode_frame
from protocol.invitation import Address, Invitation, code_text
from protocol.keys import SigningKey, fingerprint, fingerprint_text
from protocol.login import (
    ClientLogin,
    ServerLogin,
    hello_preimage,
    login_preimage,
)
from protocol.messages import OpenTable, Ping, Pong, Words, encode_message

ROOM = "room"
IDENTITY = SigningKey.from_seed(bytes(range(32)))
PLAYER = SigningKey.from_seed(bytes(range(32, 64)))
NONCE = bytes(range(64, 96))
EXPORTER = bytes(range(96, 128))

VALUES: Sequence[codec.Plain] = (
    None,
    False,
    True,
    0,
    127,
    128,
    256,
    65536,
    2**32,
    2**53,
    -1,
    -32,
    -33,
    -129,
    -32769,
    "",
    "é",
    "x" * 32,
    b"",
    b"\x00\xff",
    (),
    (1, ("a", b"b", None)),
    tuple(range(16)),
)
REFUSED = {
    "5 in two bytes": b"\xcc\x05",
    "-1 in two bytes": b"\xd0\xff",
    '"a" with a length byte': b"\xd9\x01a",
    "array of one with a long head": b"\xdc\x00\x01\x05",
    "a map": b"\x80",
    "a float": b"\xca\x00\x00\x00\x00",
    "an extension": b"\xc7\x00\x05",
    "two values": b"\x01\x02",
    "half a value": b"\x92\x01",
    "text that is not UTF-8": b"\xa1\xff",
}


class Party:
    """Two seats."""

    def all_seats(self) -> tuple[int, ...]:
        """Return both."""
        return (0, 1)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return nobody: these events name no piece."""
        raise KeyError(knower)


def records() -> list[Stored]:
    """Return a short log: somebody is ready, and somebody says hello."""
    salts = (bytes([n]) * 32 for n in itertools.count(0xA0))
    events = (ReadySet(0, True), Chatted(1, hidden(b"Hello")))
    return [
        seal(
            happened,
            room_id=ROOM,
            sequence=sequence,
            time=1_700_000_000_000 + sequence,
            origin=sequence,
            knowers=Party(),
            new_salt=lambda: next(salts),
        )[0]
        for sequence, happened in enumerate(events)
    ]


def vectors() -> str:
    """Return all vectors in Markdown."""
    parts = (_values(), _frames(), _keys(), _login(), _commitments(), _records(), _words())
    return "\n".join(parts)


def _listed(title: str, lines: Iterable[tuple[str, bytes | str]]) -> str:
    rows = [
        f"{name}\n    {value.hex() if isinstance(value, bytes) else value}" for name, value in lines
    ]
    return f"### {title}\n\n```\n" + "\n".join(rows) + "\n```\n"


def _values() -> str:
    good = [(_shown(value), codec.pack(value)) for value in VALUES]
    return (
        _listed("Values", good)
        + "\n"
        + _listed("Bytes that must be refused", list(REFUSED.items()))
    )


def _shown(value: codec.Plain) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, bytes):
        return f"bytes {value.hex() or '(none)'}"
    if isinstance(value, str):
        return f'text "{value}"'
    if value is None:
        return "nil"
    return str(value).lower()


def _frames() -> str:
    return _listed(
        "Frames and messages",
        [
            ('the frame of ["ping", 7]', encode_frame(encode_message(Ping(7)))),
            ('the frame of ["pong", 7]', encode_frame(encode_message(Pong(7)))),
            (
                'the payload of ["open_table", 1, [true, 0, true, true], "core/house"]',
                encode_message(OpenTable(1, Settings(spectators=True), "core/house")),
            ),
        ],
    )


def _keys() -> str:
    printed = fingerprint(IDENTITY.public)
    code = code_text(bytes(range(10)))
    invitation = Invitation(Address("example.org", 4470), code, printed)
    return _listed(
        "Keys and invitations",
        [
            ("server's private key", bytes(range(32))),
            ("server's public key", IDENTITY.public),
            ("its fingerprint", printed),
            ("its fingerprint as text", fingerprint_text(printed)),
            ("player's private key", bytes(range(32, 64))),
            ("player's public key", PLAYER.public),
            ("ten random bytes", bytes(range(10))),
            ("the code made of them", code),
            ("an invitation", invitation.line()),
        ],
    )


def _login() -> str:
    server = ServerLogin(IDENTITY, EXPORTER, NONCE, "Manse", "example.org:4470")
    client = ClientLogin(PLAYER, "Zoë", "fr", EXPORTER, fingerprint(IDENTITY.public))
    hello = server.hello()
    login = client.receive(hello) or b""
    server.receive(login)
    welcome = server.welcome()
    refusing = ServerLogin(IDENTITY, EXPORTER, NONCE, "Manse")
    refusing.hello()
    return _listed(
        "A login",
        [
            ("exporter value", EXPORTER),
            ("nonce", NONCE),
            ("what the server signs", hello_preimage(NONCE, EXPORTER)),
            ("payload of the hello", hello),
            ("what the client signs", login_preimage(IDENTITY.public, NONCE, EXPORTER)),
            ('payload of the login of "Zoë", who reads fr', login),
            ("payload of the welcome", welcome),
            ("payload of a refusal", refusing.refuse("login/name", "the name is empty")),
        ],
    )


def _commitments() -> str:
    opening = Opening(bytes([0xA0]) * 32, codec.pack("secret"))
    preimage = ("manse commitment 1", ROOM, 5, 2, opening.salt, opening.value)
    return _listed(
        'A commitment: room "room", sequence 5, slot 2',
        [
            ("salt", opening.salt),
            ('value: text "secret", packed', opening.value),
            ("what is hashed", codec.pack(preimage)),
            ("commitment", commit(ROOM, 5, 2, opening)),
        ],
    )


def _records() -> str:
    ready, chatted = records()
    first = first_head(ROOM)
    second = next_head(first, ready.public)
    [opening] = openings_of(chatted)
    shown = [cut(stored, 0) for stored in (ready, chatted)]
    [said] = records_in_batches(ROOM, shown)
    return _listed(
        'A log of two records in the room "room"',
        [
            ("head of the empty log", first),
            ("record 0: seat 0 is ready; public bytes", ready.public),
            ("head after it", second),
            ("record 1: seat 1 says Hello; public bytes", chatted.public),
            ("head after it", next_head(second, chatted.public)),
            ("salt of its secret", opening.salt),
            ("value of its secret, packed", opening.value),
            ("cut of record 1 for seat 0", codec.encode(shown[1], Cut)),
            ("cut of record 1 for a spectator", codec.encode(cut(chatted, None), Cut)),
            ("payload of both records for seat 0", encode_message(said)),
        ],
    )


def _words() -> str:
    words = Words("fr", (("card/sprain", (("name", "Entorse"), ("text", "Perdez {0} dés."))),))
    return _listed("Words", [("payload", encode_message(words))])


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(updated(path.read_text("utf-8"), {"vectors": vectors()}), "utf-8")
