"""Test vectors: the hexadecimal examples of `TYPES.md`, made by the code that it describes.

`python -m tests.protocol.vectors protocol/TYPES.md` writes them into the document.
"""

import hashlib
import hmac
import itertools
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from protocol import archive, codec
from protocol.boards.maps import Cell, Map, PlacedTile, compose, drawn
from protocol.brief import BriefWriter, segments_of
from protocol.commitments import Opening, commit, first_head, next_head
from protocol.common.chance import (
    SeededChance,
    commitment_of_setup,
    deal_key,
    play_key,
    play_key_1,
    salt_of_setup,
    salt_of_shares,
    setup_key,
    setup_key_1,
)
from protocol.common.events import Chatted, ReadySet
from protocol.common.table import Settings
from protocol.common.text import Text, render
from protocol.describe import updated
from protocol.event import Cut, Stored, cut, hidden, openings_of
from protocol.frames import encode_frame
from protocol.invitation import Address, Invitation, code_text
from protocol.keys import WEAK_KEYS, SigningKey, fingerprint, fingerprint_text
from protocol.login import (
    ClientLogin,
    ServerLogin,
    hello_preimage,
    login_preimage,
)
from protocol.messages import OpenTable, Ping, Pong, Records, Words, encode_message
from protocol.sealing import seal

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
    """A stand-in for a room with two seats."""

    def all_seats(self) -> tuple[int, ...]:
        return (0, 1)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Raise: these events name no character."""
        raise KeyError(knower)


def records() -> list[Stored]:
    """Return a short log: a seat becomes ready, and a seat says hello."""
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
    parts = (_values(), _frames(), _keys(), _weak(), _login(), _commitments(), _records())
    return "\n".join((*parts, _words(), _rendered(), _chance(), _board(), _archive()))


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
    opening = encode_message(OpenTable(1, Settings(spectators=True), "core/house"))
    small = [encode_message(said) for said in (Ping(7), Pong(7))]
    return _listed(
        "Frames and messages",
        [
            *((f"the frame of {_payload_shown(each)}", encode_frame(each)) for each in small),
            (f"the payload of {_payload_shown(opening)}", opening),
        ],
    )


def _payload_shown(payload: bytes) -> str:
    return json.dumps(codec.unpack(payload))


def _keys() -> str:
    printed = fingerprint(IDENTITY.public)
    code = code_text(bytes(range(10)))
    invitation = Invitation(Address("example.org", 4470), code, printed)
    return _listed(
        "Keys and invitations",
        [
            ("server's private key", bytes(range(32))),
            ("server's public key", IDENTITY.public),
            ("SHA-256 of that key", printed),
            ("its fingerprint", fingerprint_text(printed)),
            ("player's private key", bytes(range(32, 64))),
            ("player's public key", PLAYER.public),
            ("ten random bytes", bytes(range(10))),
            ("the code made of them", code),
            ("an invitation", str(invitation)),
            ("what a player types to follow it", invitation.line()),
        ],
    )


def _weak() -> str:
    named = ((f"weak key {number}", key) for number, key in enumerate(WEAK_KEYS))
    return _listed("Keys that must be refused", named)


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
    said = Records(ROOM, tuple(shown))
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
            ("the same in brief", BriefWriter().payload(ROOM, segments_of(shown))),
        ],
    )


def _words() -> str:
    words = Words("fr", (("card/sprain", (("name", "Entorse"), ("text", "Perdez {0} dés."))),))
    return _listed("Words", [("payload", encode_message(words))])


WORDS = (
    ("language", "name", "English"),
    ("language", "zero", "many"),
    ("item/lamp", "name", "Storm Lantern"),
    ("result/harm", "text", "{0} suffers {1} {1|card|cards}; {2}"),
    ("result/drops", "text", "the {0} goes out."),
)
TEXTS = (
    Text("result/harm", ("Zoë", 1, Text("result/drops", ("item/lamp",)))),
    Text("result/harm", ("Zoë", 0, Text("result/gone"))),
    Text("result/harm", ("Zoë", 12)),
    Text("result/harm", ("language", 12)),
    Text("item/lamp", (), "name"),
    Text("item/lamp"),
)


def _rendered() -> str:
    words: dict[str, dict[str, str]] = {}
    for subject, field, template in WORDS:
        words.setdefault(subject, {})[field] = template
    return _listed(
        "Texts",
        [
            *((f"{field} of {subject}", template) for subject, field, template in WORDS),
            *((_text_shown(text), render(text, words.get)) for text in TEXTS),
        ],
    )


def _text_shown(text: Text) -> str:
    params = ", ".join(
        _text_shown(param) if isinstance(param, Text) else _shown(param) for param in text.params
    )
    return f"[{_shown(text.subject)}, [{params}], {_shown(text.field)}]"


SEED = bytes(range(128, 160))
HOUSE_SEED = bytes(range(160, 192))
SHARES = {0: b"\0" * 32, 2: b"\2" * 32}
HEAD = bytes(range(192, 224))
ITEMS = ("ash", "birch", "birch", "elm", "fir", "oak")
UNEVEN = 2**31 + 1
"""Bound for which nearly every second number is skipped."""


def _chance() -> str:
    commitments = tuple(hashlib.sha256(seed).digest() for seed in (SEED, HOUSE_SEED))
    salt = salt_of_shares("room", commitments, SHARES)  # type: ignore[arg-type]  # there are two
    key = play_key(SEED, salt)
    setup, deal = setup_key(HOUSE_SEED, salt), deal_key(HOUSE_SEED, salt)
    fixed = commitment_of_setup(SHARES[0], HOUSE_SEED)
    chance = SeededChance(key)
    block, ranked = codec.pack((0, "test", 0)), codec.pack((0, "item", "birch", 2))
    return _listed(
        "Chance",
        [
            ("seed", SEED),
            ("seed of the house", HOUSE_SEED),
            ("commitment to the seed (any 32 bytes will do here)", commitments[0]),
            ("commitment to the seed of the house", commitments[1]),
            ("share of seat 0", SHARES[0]),
            ("share of seat 2", SHARES[2]),
            ('salt in the room "room"', salt),
            ("key of play", key),
            ("key of the setup", setup),
            ("key of the deal", deal),
            ("commitment of a fixed setup: that seed of the house, that share as salt", fixed),
            ("key of its setup", setup_key(HOUSE_SEED, salt_of_setup(fixed))),
            ("head before game_started, in a log of version 1", HEAD),
            ("its key of play", play_key_1(SEED, HEAD)),
            ("its key of the setup", setup_key_1(HOUSE_SEED)),
            ('with the key of play: draw 0, "test", what block 0 is made of', block),
            ("block 0", hmac.new(key, block, hashlib.sha256).digest()),
            ('draw 0, "test": ten dice of eight sides', _row(chance.roll(0, "test", 10, 8))),
            ('draw 1, "lot": below 3', str(chance.pick(1, "lot", 3))),
            (f'draw 2, "lot": four dice of {UNEVEN} sides', _row(chance.roll(2, "lot", 4, UNEVEN))),
            ("what is shuffled", _row(ITEMS)),
            ('draw 3, "shuffle deck": the order', _row(chance.shuffle(3, "shuffle deck", ITEMS))),
            ("with the key of the deal: what birch, the second, is ranked by", ranked),
            ("its digest", hmac.new(deal, ranked, hashlib.sha256).digest()),
            ('draw 0, "item": the order', _row(SeededChance(deal).rank(0, "item", ITEMS))),
        ],
    )


def _row(items: Iterable[object]) -> str:
    return " ".join(map(str, items))


TILES = (
    PlacedTile(
        "hall",
        0,
        0,
        ("+---+----+", "| a : b  1", "|   :    =", "+-------2+"),
        (("a", "room/hall"), ("b", "room/hall")),
    ),
    PlacedTile(
        "study",
        0,
        9,
        ("+------+", "=      |", "2  a   |", "+--~~--+", "|  c   |", "+------+"),
        (("a", "room/study"), ("c", "room/gap")),
    ),
)


def _board() -> str:
    board = compose(TILES)
    rows = [("tile " + t.tile + f" at row {t.row}, column {t.column}", _lines(t)) for t in TILES]
    return _listed(
        "A board of two tiles",
        [
            *rows,
            ("the board", "\n    ".join(_picture(drawn(TILES)))),
            ("spaces, with room and number of cells", "\n    ".join(_spaces(board))),
            ("doors, with their sides", "\n    ".join(_doors(board))),
            ("edges", "\n    ".join(_edges(board))),
        ],
    )


def _lines(tile: PlacedTile) -> str:
    return "\n    ".join(tile.drawing)


def _picture(board: Mapping[Cell, str]) -> Iterable[str]:
    rows = 1 + max(row for row, _ in board)
    columns = 1 + max(column for _, column in board)
    for row in range(rows):
        line = "".join(board.get((row, column), " ") for column in range(columns))
        yield line.rstrip()


def _spaces(board: Map) -> Iterable[str]:
    return [f"{space} {room} {len(board.cells[space])}" for space, room in board.rooms.items()]


def _doors(board: Map) -> Iterable[str]:
    return [f"{name} {_row(door.sides)}" for name, door in board.doors.items()]


def _edges(board: Map) -> Iterable[str]:
    return [
        _row((edge.one, edge.other, edge.line.value, edge.door or "")).rstrip()
        for edge in board.edges
    ]


def archive_bytes() -> bytes:
    """Return a small file: the log of two records, as seat 0 may have it."""
    header = archive.Header(
        archive.MAGIC, ROOM, False, 0, 0, 1_700_000_100_000, IDENTITY.public, len(records())
    )
    words = (archive.WordsOf("fr", (("language", (("zero", "one"),)),)),)
    cuts = [cut(stored, 0) for stored in records()]
    return b"".join(archive.write(header, cuts, words, sign=IDENTITY.sign))


def _archive() -> str:
    data = archive_bytes()
    frames, at = [], 0
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        frames.append(data[at:end])
        at = end
    names = ("header", "line of record 0", "line of record 1", "words", "seal")
    signed = hashlib.sha256(b"manse archive seal 1" + b"".join(frames[:-1])).digest()
    return _listed(
        "An archive: the log of two records, as seat 0 has it",
        [
            *((f"frame of the {name}", frame) for name, frame in zip(names, frames, strict=True)),
            ("what the seal signs", signed),
        ],
    )


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(updated(path.read_text("utf-8"), {"vectors": vectors()}), "utf-8")
