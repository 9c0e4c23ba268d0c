"""Forgers for step 1: the structure of the file."""

import hashlib
import random
from typing import Any

from protocol import codec
from protocol.keys import WEAK_KEYS
from tests.verifying.files import FORGER, SEAL_LABEL, Plain, listed, payloads, tupled
from tests.verifying.logs import types
from tests.verifying.rules.forging import Forgery, committed_to, kind_of, rule

ALL = ("toy", "cuts", "asked", "dealt", "branch", "old", "windows")
SMALL = ("toy", "lobby", "cuts", "old")


def _frames(f: Forgery) -> list[bytes]:
    f.data = f.result()
    return payloads(f.data)


def _framed(f: Forgery, parts: list[bytes]) -> None:
    f.data = b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _resealed(f: Forgery, parts: list[bytes]) -> None:
    """Sign frames as they are."""
    body = b"".join(len(part).to_bytes(4, "big") + part for part in parts[:-1])
    signature = FORGER.sign(hashlib.sha256(SEAL_LABEL + body).digest())
    _framed(f, [*parts[:-1], codec.pack(("seal", signature))])


@rule(1, "every: the file ends inside a line", *SMALL, is_shape=True)
def _cut_short(f: Forgery) -> int:
    parts = _frames(f)
    at = f.rng.randrange(len(f.lines))
    end = sum(len(part) + 4 for part in parts[: at + 1])
    assert f.data is not None
    f.data = f.data[: end + f.rng.randrange(4 + len(parts[at + 1]))]
    return at


@rule(1, "every: a frame says that it is empty or too long", *SMALL, is_shape=True)
def _length(f: Forgery) -> int:
    parts = _frames(f)
    at = f.rng.randrange(len(f.lines))
    end = sum(len(part) + 4 for part in parts[: at + 1])
    assert f.data is not None
    size = f.rng.choice([0, 65537, 1 << 31])
    f.data = f.data[:end] + size.to_bytes(4, "big") + f.data[end + 4 :]
    return at


@rule(1, "every: a line is not in its shortest form", *SMALL, is_shape=True)
def _not_shortest(f: Forgery) -> int:
    parts = _frames(f)
    at = f.rng.randrange(len(f.lines))
    line = parts[at + 1]
    assert line[:1] == b"\x93"
    parts[at + 1] = b"\xdc\0\3" + line[1:]
    _resealed(f, parts)
    return at


@rule(1, "every: two values in one line", *SMALL, is_shape=True)
def _two_values(f: Forgery) -> int:
    parts = _frames(f)
    at = f.rng.randrange(len(f.lines))
    parts[at + 1] += b"\xc0"
    _resealed(f, parts)
    return at


HEADERS: tuple[tuple[int, tuple[Plain, ...]], ...] = (
    (1, ("../x", "Room", "r" * 65, "a b", 3)),
    (2, (1, None)),
    (3, (-2, "x")),
    (4, (-1, -(1 << 40))),
    (5, (-1, (1 << 47) + 1, b"")),
    (7, (-1, None)),
)
"""Invalid values for parts of the header, by their place."""


@rule(1, "every: a header out of its bounds", *SMALL, is_shape=True)
def _header(f: Forgery) -> None:
    place, values = f.rng.choice(HEADERS)
    _reheaded(f, place, f.rng.choice(values))


@rule(1, "every: a header of another kind", *SMALL)
def _magic(f: Forgery) -> None:
    _reheaded(f, 0, f.rng.choice(["manse archive 2", "manse archive", ""]))


@rule(1, "every: a whole file of a seat", "toy", "dealt", "old")
def _whole_of_a_seat(f: Forgery) -> None:
    place = f.rng.choice([3, 4])
    _reheaded(f, place, f.rng.choice([0, 1]) if place == 3 else 1)


@rule(1, "every: a signer whose key is weak", *SMALL)
def _weak_signer(f: Forgery) -> None:
    _reheaded(f, 6, f.rng.choice(WEAK_KEYS))


def _reheaded(f: Forgery, place: int, value: Plain) -> None:
    parts = _frames(f)
    header = listed(codec.unpack(parts[0]))
    header[place] = value
    parts[0] = codec.pack(tupled(header))
    _resealed(f, parts)


@rule(1, "every: a head that does not follow", *SMALL)
def _head(f: Forgery) -> int:
    parts = _frames(f)
    at = f.rng.randrange(len(f.lines))
    public, openings, head = listed(codec.unpack(parts[at + 1]))
    head = head[:5] + bytes([head[5] ^ 4]) + head[6:]
    parts[at + 1] = codec.pack(tupled([public, openings, head]))
    _resealed(f, parts)
    return at


@rule(1, "every: a record with the sequence of another", *SMALL)
def _sequence(f: Forgery) -> int:
    f.is_numbered = False
    at = f.rng.randrange(len(f.lines))
    f.lines[at].public[0] += f.rng.choice([-1, 1, 1000])
    return at


@rule(1, "every: a time that no calendar has", *ALL, is_shape=True)
def _time(f: Forgery) -> int:
    at = f.rng.randrange(len(f.lines))
    f.lines[at].public[1] = f.rng.choice([-1, (1 << 47) + 1, 1 << 53, -(1 << 53)])
    return at


@rule(1, "every: a kind that there is not", *ALL, is_shape=True)
def _unknown(f: Forgery) -> int:
    at = f.rng.randrange(len(f.lines))
    tag = f.lines[at].tag
    f.lines[at].public[3] = f.rng.choice([tag + "/9", "acted", "", tag.upper() + "!"])
    return at


@rule(1, "every: public bytes of another shape", *SMALL, is_shape=True)
def _public(f: Forgery) -> int:
    at = f.rng.randrange(len(f.lines))
    part = f.rng.choice([0, 1, 2, 3, 4, 5])
    f.is_numbered = part != 0
    f.lines[at].public[part] = f.rng.choice([None, b"x", True])
    if part == 5:
        f.lines[at].openings = []
    return at


@rule(1, "every: a public field of another type", *ALL, is_shape=True)
def _field(f: Forgery) -> int:
    at = f.rng.randrange(len(f.lines))
    line = f.lines[at]
    fields = [k for k in kind_of(line.tag)["fields"] if k.get("secret_to") in (None, "each")]
    f.need(fields)
    place = f.rng.randrange(len(fields))
    of = fields[place]["type"]
    if fields[place].get("secret_to") == "each":
        line.fields[place] = f.rng.choice([[*line.fields[place], "x"], None, [[]], b""])
        return at
    f.need(not (line.tag.startswith("room_opened") and fields[place]["name"] == "room_id"))
    line.fields[place] = spoiled(f, of, line.fields[place])
    return at


@rule(1, "every: more fields than the kind has, or fewer", *SMALL, is_shape=True)
def _fields(f: Forgery) -> int:
    at = f.rng.randrange(len(f.lines))
    fields = f.lines[at].fields
    if fields and f.rng.random() < 0.5:
        del fields[-1]
        f.need(not f.lines[at].secrets or kind_of(f.lines[at].tag)["fields"])
    else:
        fields.append(f.rng.choice([0, None, "x"]))
    return at


@rule(1, "every: a secret of another type", *ALL, is_shape=True)
def _secret(f: Forgery) -> int:
    at, slot = _open(f)
    line = f.lines[at]
    of = _secret_types(line.tag, line.fields)[slot]
    f.put_opened(at, spoiled(f, of, f.opened(at, slot)), slot)
    return at


def _open(f: Forgery) -> tuple[int, int]:
    found = [(at, slot) for at, line in enumerate(f.lines) for slot, _ in line.openings]
    f.need(found)
    return f.rng.choice(found)


def _secret_types(tag: str, fields: Plain) -> list[Any]:
    found: list[Any] = []
    public = 0
    for field in kind_of(tag)["fields"]:
        to = field.get("secret_to")
        if to == "each":
            found += [field["type"]["to"]] * len(fields[public])
        elif to is not None:
            found.append(field["type"])
        public += to in (None, "each")
    return found


@rule(1, "every: a commitment that has not 32 bytes", *ALL, is_shape=True)
def _commitment(f: Forgery) -> int:
    found = [at for at, line in enumerate(f.lines) if line.secrets]
    f.need(found)
    at = f.rng.choice(found)
    line = f.lines[at]
    slot = f.rng.randrange(len(line.secrets))
    line.openings = [opening for opening in line.openings if opening[0] != slot]
    commitment = line.secrets[slot][1]
    line.secrets[slot][1] = f.rng.choice([commitment[:-1], commitment + b"\0", b"", "x"])
    return at


@rule(1, "every: more secrets than the kind has, or fewer", *ALL, is_shape=True)
def _secrets(f: Forgery) -> int:
    at = f.rng.randrange(len(f.lines))
    line = f.lines[at]
    if line.secrets and f.rng.random() < 0.7:
        del line.secrets[-1]
        line.openings = [one for one in line.openings if one[0] < len(line.secrets)]
    else:
        line.secrets.append([[], b"c" * 32])
    return at


@rule(1, "every: an opening of a slot that there is not", *ALL, is_shape=True)
def _slot(f: Forgery) -> int:
    at = f.rng.randrange(len(f.lines))
    line = f.lines[at]
    slot = len(line.secrets) + f.rng.choice([0, 1, 300, 1 << 40])
    line.openings.append([slot, [b"s" * 32, b"\xc0"]])
    return at


@rule(1, "every: openings that do not ascend", *ALL)
def _slots(f: Forgery) -> int:
    found = [at for at, line in enumerate(f.lines) if len(line.openings) > 1]
    f.need(found)
    at = f.rng.choice(found)
    openings = f.lines[at].openings
    if f.rng.random() < 0.5:
        openings.reverse()
    else:
        openings.insert(1, openings[0])
    return at


@rule(1, "every: a salt that has not 32 bytes", *ALL)
def _salt(f: Forgery) -> int:
    at, slot = _open(f)
    for place, opening in f.lines[at].openings:
        if place == slot:
            opening[0] = f.rng.choice([opening[0][:-1], b"", opening[0] + b"\0"])
    return at


@rule(1, "every: an opening that does not fit", *ALL)
def _opening(f: Forgery) -> int:
    at, slot = _open(f)
    line = f.lines[at]
    f.file.renumbered().committed_anew()
    [opening] = [opening for place, opening in line.openings if place == slot]
    other = [f.rng.randbytes(32), opening[1]]
    kept = line.secrets[slot][1]
    assert committed_to(f.file, at, slot, other) != kept
    f.data = _with_opening(f, at, slot, other)
    return at


def _with_opening(f: Forgery, at: int, slot: int, other: list[bytes]) -> bytes:
    for place in f.lines[at].openings:
        if place[0] == slot:
            place[1] = other
    return f.file.sealed()


@rule(1, "every: seats of questions that do not ascend", "toy", "asked", is_shape=True)
def _each(f: Forgery) -> int:
    at = f.one("asked/3")
    seats = f.get(at, "questions")
    f.need(len(seats) > 1)
    line = f.lines[at]
    line.openings = []
    if f.rng.random() < 0.5:
        seats.reverse()
        line.secrets.reverse()
    else:
        seats[1] = seats[0]
    return at


@rule(1, "every: something else in the place of words", "old", is_shape=True)
def _words(f: Forgery) -> None:
    f.need(f.file.words)
    parts = _frames(f)
    at = f.rng.randrange(len(f.lines) + 1, len(parts) - 1)
    parts[at] = codec.pack(f.rng.choice([("en",), (1, ()), ("en", (("x",),)), "en"]))
    _resealed(f, parts)


@rule(1, "every: a signature on something else", *SMALL)
def _signature(f: Forgery) -> None:
    parts = _frames(f)
    parts[-1] = codec.pack(("seal", f.rng.randbytes(64)))
    _framed(f, parts)


@rule(1, "every: something behind the seal", *SMALL)
def _trailing(f: Forgery) -> int:
    count = len(f.lines)
    f.data = f.result() + f.rng.choice([b"\0", b"\0\0\0\1\xc0", f.rng.randbytes(9)])
    return count


@rule(1, "every: a header that counts more lines than there are", "toy", "cuts", is_shape=True)
def _count(f: Forgery) -> int:
    f.need(not f.file.words)
    parts = _frames(f)
    header = listed(codec.unpack(parts[0]))
    header[7] += f.rng.choice([1, 2, 100])
    parts[0] = codec.pack(tupled(header))
    _resealed(f, parts)
    return len(f.lines)


# A value that its type does not have ------------------------------------------------------------

KINDS: dict[str, Plain] = {
    "nil": None,
    "boolean": True,
    "integer": 5,
    "text": "x",
    "bytes": b"x",
    "array": [],
}
"""A value of each kind."""
ARRAYS = ("array", "tuple", "class", "mapping")


def spoiled(f: Forgery, of: dict[str, Any], value: Plain) -> Plain:
    """Return a value with one change, after which it is not of its type."""
    kind, rng = of["is"], f.rng
    if kind == "union":
        return _no_member(f, of["of"], value)
    wrong = [other for name, other in KINDS.items() if name != _kind(kind)]
    if rng.random() < 0.3:
        return rng.choice(wrong)
    if kind == "integer":
        ends = {**types()["integers"], **of}
        return rng.choice([ends["at_least"] - 1, ends["at_most"] + 1])
    if kind in {"text", "bytes"}:
        return _other_length(rng, of, value, rng.choice(wrong))
    if kind == "enumeration":
        return value + "x"
    if kind in {"tuple", "class"}:
        parts = of["of"] if kind == "tuple" else _parts(of["name"])
        if value and rng.random() < 0.8:
            at = rng.randrange(len(value))
            return [*value[:at], spoiled(f, parts[at], value[at]), *value[at + 1 :]]
        return [*value, None]
    if kind == "array":
        if value and rng.random() < 0.8:
            at = rng.randrange(len(value))
            return [*value[:at], spoiled(f, of["of"], value[at]), *value[at + 1 :]]
        least, most = of.get("at_least", 0), of.get("at_most")
        if most is not None and value and most < 200:
            return [value[0]] * (most + 1)
        return value[: least - 1] if least else rng.choice(wrong)
    if kind == "mapping" and value:
        return rng.choice([[*value, value[0]], [*value, ["x"]], [[[], value[0][1]], *value[1:]]])
    return rng.choice(wrong)


def _kind(kind: str) -> str:
    return "array" if kind in ARRAYS else "text" if kind == "enumeration" else kind


def _parts(name: str) -> list[Any]:
    return [field["type"] for field in types()["classes"][name]["fields"]]


def _other_length(rng: random.Random, of: dict[str, Any], value: Plain, wrong: Plain) -> Plain:
    one = "x" if of["is"] == "text" else b"x"
    found = [wrong]
    if of.get("at_most") is not None and of["at_most"] < 9000:
        found.append(one * (of["at_most"] + 1))
    if of.get("at_least"):
        found.append(value[: of["at_least"] - 1])
    if "pattern" in of:
        found.append("../..")
    return rng.choice(found)


def _no_member(f: Forgery, members: list[Any], value: Plain) -> Plain:
    there = {_kind(member["is"]) for member in members}
    own = next(name for name, other in KINDS.items() if type(other) is type(value))
    inner = [member for member in members if _kind(member["is"]) == own]
    if inner and inner[0]["is"] not in {"nil", "boolean"} and f.rng.random() < 0.7:
        spoilt = spoiled(f, inner[0], value)
        mine = next(name for name, other in KINDS.items() if type(other) is type(spoilt))
        if mine == own:
            return spoilt
    left = [other for name, other in KINDS.items() if name not in there]
    f.need(left)
    return f.rng.choice(left)
