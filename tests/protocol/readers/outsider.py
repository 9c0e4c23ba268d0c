"""An outsider: the verifier and the client of PROTOCOL.md, written from that document alone.

It imports nothing of ours, as if it were written in another language. It is plain on purpose:
arrays stay arrays, and a table is a `Row` of the fields that the document lists.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import msgpack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Plain = Any


class Wrong(Exception):
    """A file that no server wrote."""


class Row(dict[str, Any]):
    """A class of the document: its fields by name, in order; fields are changed by assignment."""


def encode(value: Plain) -> bytes:
    """Encode as section 3 says."""
    packed = msgpack.packb(value, use_bin_type=True)
    assert isinstance(packed, bytes)
    return packed


def decode(data: bytes) -> Plain:
    """Decode bytes; Wrong if they are not canonical."""
    value = msgpack.unpackb(data, use_list=False, raw=False)
    need(encode(value) == data, "not canonical")
    return value


def need(holds: object, reason: str) -> None:
    """Raise Wrong unless something holds."""
    if not holds:
        raise Wrong(reason)


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


# Section 6: records ------------------------------------------------------------------------


@attrs.frozen
class Secret:
    """One entry of a record's secrets."""

    ref: tuple[int, int]
    audience: tuple[int, ...]
    commitment: bytes
    value: Plain = None
    is_open: bool = False


@attrs.frozen
class Line:
    """One record that was read."""

    sequence: int
    time: int
    tag: str
    fields: tuple[Plain, ...]
    secrets: tuple[Secret, ...]


def read(room_id: str, public: bytes, openings: Plain) -> Line:
    """Read a record and check its openings."""
    sequence, time, _origin, tag, fields, entries = decode(public)
    secrets = [
        Secret((sequence, slot), audience, commitment)
        for slot, (audience, commitment) in enumerate(entries)
    ]
    for slot, (salt, value) in openings:
        hashed = ["manse commitment 1", room_id, sequence, slot, salt, value]
        need(sha(encode(hashed)) == secrets[slot].commitment, f"opening of {sequence}")
        secrets[slot] = attrs.evolve(secrets[slot], value=decode(value), is_open=True)
    return Line(sequence, time, tag, fields, tuple(secrets))


# Section 13 and 14: archives ---------------------------------------------------------------


def frames(data: bytes) -> Iterator[bytes]:
    """Yield the frames of a file, lengths included."""
    while data:
        end = 4 + int.from_bytes(data[:4], "big")
        need(4 < end <= len(data), "a frame is cut off")
        yield data[:end]
        data = data[end:]


@attrs.frozen
class Checked:
    """The result of a verification."""

    room_id: str
    lines: tuple[Line, ...]
    draws: int


def verify(data: bytes) -> Checked:
    """Check a file in the order of section 14."""
    parts = list(frames(data))
    magic, room_id, is_whole, _seat, _since, _at, server, count = decode(parts[0][4:])
    need(magic == "manse archive 1", "of another kind")
    head = sha(b"manse chain 1", room_id.encode())
    lines, heads = [], []
    for place in range(count):
        public, openings, after = decode(parts[1 + place][4:])
        heads.append(head)
        head = sha(b"manse chain 1", head, public)
        need(head == after, f"event {place} is not the one that was chained here")
        lines.append(read(room_id, public, openings))
        need(lines[-1].sequence == place, f"event {place} has another number")
    seal, signature = decode(parts[-1][4:])
    need(seal == "seal", "no seal at the end")
    signed = sha(b"manse archive seal 1", *parts[:-1])
    Ed25519PublicKey.from_public_bytes(server).verify(signature, signed)
    if is_whole:
        told = [line for line in lines if line.tag != "chatted"]
        need(all(s.is_open for line in told for s in line.secrets), "something is hidden")
    return Checked(room_id, tuple(lines), _audit(lines, heads))


def _audit(lines: Sequence[Line], heads: Sequence[bytes]) -> int:
    play, house = _seeds(lines)
    room_id, version = lines[0].fields[0], 1
    keys: dict[str, bytes] = {}
    commitments: Plain = ()
    bound: dict[int, bytes] = {}
    shares: dict[int, bytes] = {}
    following: dict[str, int] = {}
    computed = 0
    for line, head in zip(lines, heads, strict=True):
        if line.tag == "room_opened/9":
            version = line.fields[5]
        elif line.tag == "seeds_committed":
            bound, shares = {}, {}
            commitments = tuple(secret.commitment for secret in line.secrets)
        elif line.tag == "share_committed":
            bound[line.fields[0]] = line.fields[1]
        elif line.tag.startswith("share_opened"):
            seat, share, *signed = line.fields
            said = ["manse share 3", room_id, seat, *signed[:2], share]
            is_bound = bound[seat] == (sha(encode(said)) if version > 2 else sha(share))
            need(is_bound, "another share")
            shares[line.fields[0]] = line.fields[1]
        elif line.tag.startswith("game_started") and play and house and version == 1:
            keys = {
                "play": hkdf(play, head, b"manse play 1"),
                "setup": hkdf(house, b"", b"manse setup 1"),
            }
        elif line.tag.startswith("game_started") and play and house:
            given: list[Any] = sorted(shares.items())
            if version > 2:
                given = [(seat, share, bound[seat]) for seat, share in given]
            label = "manse keys 3" if version > 2 else "manse keys 2"
            salt = sha(encode([label, room_id, commitments, given]))
            keys = {
                "play": hkdf(play, salt, b"manse play 2"),
                "setup": hkdf(house, salt, b"manse setup 2"),
                "deal": hkdf(house, salt, b"manse deal 2"),
            }
        elif line.tag in DRAWS:
            stream, number, purpose, *_ = drawn(line)
            row = stream if version == 1 else f"{stream} {purpose}"
            need(number == following.get(row, 0), "a draw out of its row")
            following[row] = number + 1
            if keys:
                need(is_fair(keys[stream], line, version), f"event {line.sequence} is not fair")
                # A draw whose outcome is sealed here can only be counted.
                computed += all(secret.is_open for secret in line.secrets)
    return computed


def _seeds(lines: Sequence[Line]) -> tuple[bytes, bytes]:
    """Return the seeds of the last start; empty if they are not open."""
    [committed] = [line for line in lines if line.tag == "seeds_committed"][-1:]
    seeds = {secret.ref: secret.value or b"" for secret in committed.secrets}
    for line in lines:
        if line.tag in {"room_closed", "room_closed/2"}:
            seeds |= {(at, slot): decode(value) for at, slot, _salt, value in line.fields[0]}
    play, house = (seeds[secret.ref] for secret in committed.secrets)
    return play, house


# Section 10: chance ------------------------------------------------------------------------


def hkdf(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """Compute HKDF of RFC 5869, one block long."""
    middle = hmac.new(salt, secret, hashlib.sha256).digest()
    return hmac.new(middle, info + b"\1", hashlib.sha256).digest()


DRAWS = {
    *("rolled", "picked", "shuffled", "rolled/2", "picked/2", "shuffled/2"),
    *("picked_secretly", "dealt"),
}


def drawn(line: Line) -> tuple[Any, ...]:
    """Return stream, number, purpose and the further fields of a draw of any form."""
    if line.tag in {"rolled", "picked", "shuffled"}:
        number, is_setup, purpose, *rest = line.fields
        return ("setup" if is_setup else "play", number, purpose, *rest)
    return ("deal", *line.fields) if line.tag == "dealt" else line.fields


def numbers_of(key: bytes, draw: int, purpose: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.new(key, encode([draw, purpose, block]), hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def below(numbers: Iterator[int], bound: int) -> int:
    return next(n for n in numbers if n < 2**32 - 2**32 % bound) % bound


def ranked(key: bytes, number: int, purpose: str, items: Sequence[str]) -> list[str]:
    """Return items in the order of their digests."""
    copies = [(item, items[:at].count(item) + 1) for at, item in enumerate(items)]
    digests = {
        (item, copy): hmac.new(key, encode([number, purpose, item, copy]), hashlib.sha256).digest()
        for item, copy in copies
    }
    return [item for item, _ in sorted(copies, key=lambda copy: digests[copy])]


def is_fair(key: bytes, line: Line, version: int) -> bool:
    """True if a draw has the outcome that its key gives."""
    stream, number, purpose, *rest = drawn(line)
    numbers = numbers_of(key, number, purpose)
    kind = line.tag.removesuffix("/2")
    if kind == "rolled":
        sides, faces = rest
        return bool(faces == tuple(below(numbers, sides) for _ in faces))
    if kind == "picked":
        bound, result = rest
        return bool(below(numbers, bound) == result)
    if not line.secrets[0].is_open:
        return True
    value = line.secrets[0].value
    if kind == "picked_secretly":
        return bool(below(numbers, value[0]) == value[1])
    if kind == "dealt":
        return bool(ranked(key, number, purpose, value[0])[0] == value[1])
    if version > 1 and stream != "play":
        return bool(tuple(ranked(key, number, purpose, value)) == value)
    order = sorted(value)
    for last in range(len(order) - 1, 0, -1):
        other = below(numbers, last + 1)
        order[last], order[other] = order[other], order[last]
    return bool(tuple(order) == value)


# Section 12: the board ---------------------------------------------------------------------

KINDS = {
    **dict.fromkeys("+-|", "wall"),
    **dict.fromkeys("!~", "impassable"),
    **dict.fromkeys(":.", "border"),
    **dict.fromkeys("=0123456789", "door"),
}
RANK = ["wall", "impassable", "border", "door"]
Cell = tuple[int, int]


@attrs.define
class Board:
    """The picture of a board, and its graph."""

    characters: dict[Cell, str] = attrs.field(factory=dict)
    spaces: dict[Cell, str] = attrs.field(factory=dict)
    rooms: dict[str, str] = attrs.field(factory=dict)
    doors: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    edges: set[tuple[str, str, str, str]] = attrs.field(factory=set)


def around(cell: Cell) -> list[Cell]:
    """Return the cells above, left, right and below."""
    return [(cell[0] + r, cell[1] + c) for r, c in ((-1, 0), (0, -1), (0, 1), (1, 0))]


def touching(start: Cell, among: set[Cell]) -> set[Cell]:
    """Return the connected component of a cell within some cells."""
    found, todo = {start}, [start]
    while todo:
        fresh = [cell for cell in around(todo.pop()) if cell in among and cell not in found]
        found.update(fresh)
        todo.extend(fresh)
    return found


def compose(tiles: Sequence[Plain], coverings: Sequence[Plain] = ()) -> Board:
    """Return the board of placed tiles and coverings."""
    board, names = Board(), dict[Cell, str]()
    for tile, top, left, drawing, rooms in tiles:
        drawn = {(top + r, left + c): x for r, row in enumerate(drawing) for c, x in enumerate(row)}
        empty = {cell for cell, char in drawn.items() if char not in KINDS}
        for cell, char in drawn.items():
            _draw(board, cell, " " if cell in empty else char)
            if char.isdigit():
                names.setdefault(cell, f"{tile}/{char}")
            if cell in empty and char != " ":
                board.rooms[f"{tile}/{char}"] = dict(rooms)[char]
                board.spaces.update(dict.fromkeys(touching(cell, empty), f"{tile}/{char}"))
    for covering, line, cells in coverings:
        for cell in cells:
            if board.characters.get(cell, " ") != " ":
                names.pop(cell, None)
                up, _left, _right, down = (near in board.spaces for near in around(cell))
                board.characters[cell] = "=" if line == "door" else "-" if up or down else "|"
                names.update({cell: covering} if line == "door" else {})
    _find_doors_and_edges(board, names)
    return board


def _draw(board: Board, cell: Cell, char: str) -> None:
    old = board.characters.get(cell, " ")
    if old == " " or (char != " " and RANK.index(KINDS[char]) > RANK.index(KINDS[old])):
        board.characters[cell] = char


def _find_doors_and_edges(board: Board, names: dict[Cell, str]) -> None:
    at = {cell for cell, char in board.characters.items() if KINDS.get(char) == "door"}
    door_of: dict[Cell, str] = {}
    for cell in sorted(at):
        if cell not in door_of:
            run = sorted(touching(cell, at))
            sides = {board.spaces[near] for c in run for near in around(c) if near in board.spaces}
            called = [names[c] for c in run if c in names] or ["=".join(sorted(sides))]
            door_of.update(dict.fromkeys(run, called[0]))
            board.doors.update(dict.fromkeys(called, tuple(sorted(sides))))
    for cell, char in board.characters.items():
        up, left, right, down = (board.spaces.get(near) for near in around(cell))
        for one, other in ((up, down), (left, right)):
            if char in KINDS and one and other and one != other:
                first, second = sorted((one, other))
                board.edges.add((first, second, KINDS[char], door_of.get(cell, "")))
