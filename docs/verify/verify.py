"""
Verify an exported game by PROTOCOL.md alone, in the order of section 14: what every game shares.

    python verify.py GAME.manse [types.json]

Needs Python 3.11, the package `cryptography`, and the generated file of types: the one named, else
the one beside this program, else `protocol/types.json` of the repository that it lies in.
Exit status: 0 where all holds, 1 where something is wrong, 2 where nothing was checked.
"""

import hmac
import io
import json
import re
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace as Row

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FIRST = b"\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3\xc4\xc5\xc6\xd9\xda\xdb\xdc\xdd"
HEADS = dict(zip(FIRST, zip("uuuuiiiibbbtttaa", (1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 1, 2, 4, 2, 4))))
SHORT = {"u": (0, 128), "i": (256, 0), "a": (0x90, 16), "t": (0xA0, 32), "b": (0, 0)}
SMALL = {n & 255: n for n in range(-32, 128)} | {0xC0: None, 0xC2: False, 0xC3: True}
SCALARS = {"integer": int, "text": str, "bytes": bytes, "boolean": bool, "nil": type(None)}
SEATS, DISCLOSURE = {"is": "array", "of": {"is": "integer"}}, {"is": "class", "name": "Disclosure"}


class Wrong(Exception):
    """A fault of the file: its reason, and the sequence of the first wrong record or None."""


def need(holds, reason):
    if not holds:
        raise ValueError(reason)


def decode(data):
    """Return the value that these bytes encode, if it is one in canonical form: section 3."""
    value = next_item(io.BytesIO(data).read, 24)
    need(encode(value) == data, "more than one value, or not the shortest form")
    return value


def next_item(read, depth):
    """Read the next value, in canonical form or not; `decode` refuses the latter."""
    first = read(1)[0]
    if first in SMALL:
        return SMALL[first]
    kind, size = ("a", first - 0x90) if first < 0xA0 else ("t", first - 0xA0)
    if first >= 0xC0:
        kind, width = HEADS[first]
        size = int.from_bytes(read(width), "big", signed=kind == "i")
    if kind == "a":
        need(depth, "arrays that nest too deep")
        return tuple([next_item(read, depth - 1) for _ in range(size)])
    return size if kind in "ui" else read(size) if kind == "b" else str(read(size), "utf-8")


def encode(value):
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        return head("u" if value >= 0 else "i", value)
    if isinstance(value, tuple):
        return head("a", len(value)) + b"".join(map(encode, value))
    data = value.encode() if isinstance(value, str) else value
    return head("b" if data is value else "t", len(data)) + data


def head(kind, size):
    """Return the shortest head of a value of this kind and size: section 3."""
    start, end = SHORT[kind]
    if (-32 if kind == "i" else 0) <= size < end:
        return bytes([start + size])
    bits = (~size if size < 0 else size).bit_length() + (kind == "i")
    first = next(first for first, (of, width) in HEADS.items() if of == kind and bits <= 8 * width)
    return bytes([first]) + size.to_bytes(HEADS[first][1], "big", signed=size < 0)


def hashed(*parts):
    return sha256(encode(parts)).digest()


def fixing(f):
    return hashed("manse fixed setup 1", f.salt, f.seed)


def drawn(key, number, purpose, bounds):
    """Return one number below each bound: section 10."""
    blocks = (hmac.digest(key, encode((number, purpose, n)), "sha256") for n in range(2**53))
    words = (int.from_bytes(each[at : at + 4], "big") for each in blocks for at in range(0, 32, 4))
    return tuple([next(n for n in words if n < 2**32 - 2**32 % end) % end for end in bounds])


def mixed(key, number, purpose, items):
    order = sorted(items)
    others = drawn(key, number, purpose, range(len(order), 1, -1))
    for last, other in zip(range(len(order) - 1, 0, -1), others):
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def ranked(key, number, purpose, items):
    names = ((number, purpose, i, n + 1) for i, of in Counter(items).items() for n in range(of))
    return tuple([i[2] for i in sorted(names, key=lambda i: hmac.digest(key, encode(i), "sha256"))])


def seed_in(value):
    """Return the seed if `value` is one packed seed; None otherwise."""
    return value[2:] if value == b"\xc4\x20" + value[-32:] else None


def seeds_in(f):
    """Return the seeds that a `room_closed` event opens, by sequence and slot."""
    return {seed[:2]: seed_in(seed[3]) for seed in f.seeds if seed_in(seed[3])}


class Log:
    """A file, its types, and the state of its log after the records judged so far."""

    def __init__(self, data, types):
        self.data, self.end, self.types = data, 0, types
        self.classes = {name: of["fields"] for name, of in types["classes"].items()}
        self.kinds = {of["tag"]: of for of in types["events"] + types["earlier"]}
        self.at = self.stage = self.fixed = self.source = None
        self.begins = "game_started/3"
        self.seats, self.time, self.records, self.handles = {}, 0, [], set()
        self.draws, self.counts, self.keys = Counter(), Counter(), {}
        self.owners, self.stated, self.opened = {}, {}, {}
        self.silent = self.hidden = 0

    def fits(self, of, value):
        """Return True if a value has the type `of`; a list gives the types of its items."""
        if isinstance(of, list):
            return type(value) is tuple and len(of) == len(value) and all(map(self.fits, of, value))
        of = {**self.types["integers"], **of.get("type", of)}
        name = of["is"]
        if name in {"class", "tuple"}:
            return self.fits(of.get("of") or self.classes[of["name"]], value)
        if name == "union":
            return any(self.fits(each, value) for each in of["of"])
        if name == "enumeration":
            return value in self.types["enumerations"][of["name"]]
        if type(value) is not SCALARS.get(name, tuple) or name in {"nil", "boolean"}:
            return name == "any" or type(value) is SCALARS.get(name, tuple)
        if name == "mapping":
            keys = [encode(each[0]) for each in value if self.fits([of["from"], of["to"]], each)]
            return len(keys) == len(value) and keys == sorted({*keys})
        size = value if name == "integer" else len(value)
        is_in = of["at_least"] <= size <= of["at_most"]
        is_in = is_in and ("pattern" not in of or re.fullmatch(of["pattern"], value))
        return bool(is_in) and (name != "array" or all(self.fits(of["of"], each) for each in value))

    def row(self, name, value):
        """Return the fields of `value`, an object of the class `name`, by name."""
        need(self.fits(self.classes[name], value), f"no {name}")
        return Row(**{field["name"]: each for field, each in zip(self.classes[name], value)})

    def record(self, line, before):
        """Return the record of a line, with its fields by name in `f`: section 6."""
        r = self.row("Public", decode(line.public))
        need(r.sequence == self.at, "it stands in another's place")
        r.before, r.openings, r.disclosed = before, [*line.openings], []
        r.kind, fields, secrets, r.secrets = self.kinds[r.tag], [*r.fields], [*r.secrets], []
        r.tag, r.f = r.kind.get("read_as", r.tag), Row()
        for name, value in r.kind.get("sets", {}).items():
            is_bytes = isinstance(value, dict)
            setattr(r.f, name, bytes.fromhex(value["hex"]) if is_bytes else value)
        for field in r.kind["fields"]:
            of, to = field["type"], field.get("secret_to")
            if to in (None, "each"):
                value = fields.pop(0)
                need(self.fits(SEATS if to else of, value), "a field of another type")
            if to == "each":
                need(list(value) == sorted({*value}), "seats that do not ascend")
                value = {seat: self.secret(r, *secrets.pop(0), seat, of["to"]) for seat in value}
            elif to:
                value = self.secret(r, *secrets.pop(0), to, of)
            elif DISCLOSURE in (of, of.get("of")):
                r.disclosed += [value] if of == DISCLOSURE else value
            elif "values" in field:
                value = dict(field["values"])[value]
            elif "more" in field:
                value = (*value, *((*i,) if type(i) is list else i for i in field["more"]))
            elif "each" in field:
                value = [(*i[:at], part, *i[at:]) for at, part in [field["each"]] for i in value]
            setattr(r.f, field["name"], value)
        need(not fields + secrets + r.openings, "more than it can have, or openings out of order")
        return r

    def secret(self, r, audience, commitment, to, of):
        s = Row(audience=audience, commitment=commitment, to=to, ref=(r.sequence, len(r.secrets)))
        r.secrets.append(s)
        s.is_open = bool(r.openings) and r.openings[0][0] == s.ref[1]
        if s.is_open:
            salt, packed = r.openings.pop(0)[1]
            self.check_opening(s, salt, packed)
            s.value = decode(packed)
            need(self.fits(of, s.value), "a secret of another type")
        return s

    def check_opening(self, s, salt, packed):
        said = hashed("manse commitment 1", self.header.room_id, *s.ref, salt, packed)
        need(said == s.commitment and len(salt) == 32, "an opening of another secret")

    def frame(self):
        size = int.from_bytes(self.data[self.end : self.end + 4], "big")
        self.start, self.end = self.end, self.end + 4 + size
        need(0 < size <= 65536 and self.end <= len(self.data), "the file ends here, or is damaged")
        return decode(self.data[self.start + 4 : self.end])

    def read(self):
        """Read the file, and check its frames, chain, openings and signature: section 13."""
        h = self.header = self.row("Header", self.frame())
        is_ours = h.magic == "manse archive 1" and h.server.hex() not in self.types["weak_keys"]
        need(is_ours and (not h.is_whole or (h.seat, h.since) == (-1, 0)), "no header of ours")
        self.head = sha256(b"manse chain 1" + h.room_id.encode()).digest()
        for self.at in range(h.record_count):
            line, before = self.row("Line", self.frame()), self.head
            self.head = sha256(b"manse chain 1" + before + line.public).digest()
            need(line.head == self.head, "it is not the one that was chained here")
            self.records.append(self.record(line, before))
        self.at = None
        while (words := self.frame())[:1] != ("seal",):
            self.row("WordsOf", words)
        need(self.fits([{"is": "text"}, {"is": "bytes"}], words), "no seal")
        signed = sha256(b"manse archive seal 1" + self.data[: self.start]).digest()
        Ed25519PublicKey.from_public_bytes(h.server).verify(words[1], signed)
        self.at = h.record_count
        need(self.end == len(self.data), "something follows the seal")

    def judge(self, r):
        """Check a record against the log before it, and update the state: section 14."""
        f, seats, is_input, seat = r.f, self.seats, r.kind["is_input"], getattr(r.f, "seat", None)
        need(self.stage in r.kind["stages"], f"not while the stage is {self.stage}")
        need(is_input == (r.origin != -1), "inputs have an origin, and nothing else has one")
        need(self.time <= r.time and (is_input or r.time == self.time), "a wrong time")
        is_end = bool(self.source) and r.sequence == self.source[2] + 1
        need(is_end == (r.tag == "branched"), "the records of a source end elsewhere")
        self.stage, self.time = r.kind.get("leads_to", self.stage), r.time
        self.check_secrets(r)
        fresh = getattr(f, "handles", ())
        need(len({*fresh} - self.handles) == len(fresh), "a handle of another card")
        self.handles.update(fresh)
        match r.tag:
            case "room_opened/9":
                is_ours = f.version in (2, 3, 4) or (f.version == 1 and not f.source)
                need(is_ours and f.room_id == self.header.room_id, "another room, or kind of log")
                need(not f.source or f.source[0] != f.room_id, "it is its own source")
                self.source, self.room = f.source, f
                self.publish = self.row("Settings", f.settings).publish
            case "seat_taken" | "role_claimed" | "pieces_claimed":
                need((seat in seats) != (r.tag == "seat_taken"), "the seat is taken, or nobody's")
                mine = getattr(f, "role", seats.get(seat, [""])[0]), getattr(f, "characters", ())
                self.seats = dict(sorted({**seats, seat: mine}.items()))
                if r.tag == "seat_taken":
                    self.owners[seat] = (f.key, f.is_bot)
            case "ready_set/2" if r.origin == -2:
                need(seat in seats, "there is no such seat")
                need(not (f.is_ready or f.number or f.signature), "the server says it is ready")
            case "ready_set/2":
                self.check_statement(seat, f, "manse ready 1", f.is_ready)
            case "start_requested/2":
                self.check_statement(seat, f, "manse start 1")
            case "seat_left" | "seat_emptied":
                need(seats.pop(seat, None) is not None, "the seat is nobody's")
            case "setup_fixed":
                need(self.room.version > 1, "a log of version 1 has no fixed setup")
                self.fixed = f.setup and f.setup[1]
            case "seeds_committed":
                self.committed, self.bound, self.shares = (f.play_seed, f.house_seed), {}, {}
                for s, size in zip(self.committed, (32, 0 if self.fixed else 32)):
                    need(not s.is_open or len(s.value) == size, "a seed of another length")
            case "share_committed":
                need(seat in seats and seat not in self.bound, "no commitment of this seat is due")
                is_copy = self.room.version > 2 and f.commitment in self.bound.values()
                need(not is_copy, "a share is copied from another seat")
                self.bound[seat] = f.commitment
            case "start_failed":
                self.silent += len(self.bound) == len(seats) and not self.shares
            case "share_opened/2":
                need(len(self.bound) == len(seats) and seat not in self.shares, "no share is due")
                own = (seat, f.number, f.before, f.share)
                said = hashed("manse share 3", self.signed_id(), *own)
                said = said if self.room.version > 2 else sha256(f.share).digest()
                need(said == self.bound.get(seat), "it is bound to another")
                self.check_share(seat, f)
                self.shares[seat] = f.share
                self.stage = "starting" if len(self.shares) < len(seats) else self.begins
            case "game_started/3":
                [first] = {role for n, role, _ in f.players if not seats.get(n, [1])[0]} or {""}
                self.seats = {n: (role or first, mine) for n, (role, mine) in seats.items()}
                need([*f.players] == [(n, *of) for n, of in self.seats.items()], "others play")
                self.find_keys(r.before)
            case "branched":
                heads = [seed[3][:2] for seed in f.seeds]
                need(heads == [b"\xc4\x20", b"\xc4\0" if self.fixed else b"\xc4\x20"], "no seeds")
                for s, seed in zip(self.committed, f.seeds):
                    is_it = s.ref == seed[:2] and (not s.is_open or encode(s.value) == seed[3])
                    need(is_it, "another seed than that of its source")
                setup = f.setup and hashed("manse fixed setup 1", *f.setup)
                before = self.records[self.at - 1].tag
                need(before in {"game_started/3", "rested", "taken_back"}, "behind no checkpoint")
                is_end = seat in seats and self.publish and setup == self.fixed
                need(is_end, "a seat, a setting or a setup of another log")
                self.fixed, self.source, self.begins = None, None, "branch_started"
                self.owners, self.stated, self.opened = dict.fromkeys(seats, (f.key, False)), {}, {}
            case "branch_started":
                self.find_keys(r.before)
            case "room_closed/2":
                refs = [s.ref for s in self.committed][: (1 if self.fixed else 2) * self.publish]
                is_all = refs == [seed[:2] for seed in f.seeds] == [*seeds_in(f)]
                need(is_all, "it opens others than its seeds")
            case "setup_opened":
                need(fixing(f) == self.fixed, "another setup than the one that was fixed")
                self.fixed = None
            case _ if hasattr(f, "purpose"):
                self.check_draw(r, f)

    def signed_id(self):
        """Return the room id in signed statements: of the source, up to where a log branches."""
        return self.source[0] if self.source else self.header.room_id

    def check_statement(self, seat, f, *said):
        """Check a signed statement: a seat is ready or not, or the host asks to start."""
        need(seat in self.seats, "there is no such seat")
        self.check_signature(seat, f, said[0], self.signed_id(), seat, *said[1:], f.number)
        if f.number:
            key = self.owners[seat][0]
            need(f.number > self.stated.get(key, 0), "it was said before")
            self.stated[key] = f.number

    def check_share(self, seat, f):
        """Check a seat's signature on its opened share, and that its numbers of starts ascend."""
        need(f.number or not f.before, "a seat that signs nothing names a start")
        if self.source:
            return
        bound = tuple(sorted(self.bound.items()))
        seeds = tuple(s.commitment for s in self.committed)
        room_id, version = self.header.room_id, self.room.version
        start = hashed("manse kept start 1", room_id, version, seeds, self.fixed or None, bound)
        said = (seat, f.number, f.before, start, sha256(f.share).digest())
        self.check_signature(seat, f, "manse opening 1", room_id, *said)
        if not f.number:
            return
        key = self.owners[seat][0]
        number, before, last, seen = self.opened.get(key, (0, b"", b"", 0))
        if last == start:
            need((f.number, f.before) == (number, before), "two numbers in one start")
        else:
            need(f.number > number, "a number that was signed before")
            need(f.number > number + 1 or f.before == last, "it names another start before it")
        self.opened[key] = (f.number, f.before, start, seen + (last != start))

    def check_signature(self, seat, f, *statement):
        key, is_bot = self.owners[seat]
        if self.room.version < 3 or is_bot:
            need(not (f.number or f.signature), "signed by a seat that signs nothing")
            return
        need(f.number > 0 and key.hex() not in self.types["weak_keys"], "a number or key of none")
        Ed25519PublicKey.from_public_bytes(key).verify(f.signature, encode(statement))

    def check_secrets(self, r):
        h, all_of = self.header, {"nobody": (), "table": self.seats}
        for s in r.secrets:
            to = getattr(r.f, s.to["field"]) if isinstance(s.to, dict) else all_of.get(s.to, s.to)
            if isinstance(to, str):
                to = [n for n, (role, mine) in self.seats.items() if to and to in (role, *mine)]
                to = to if self.room.ruleset in self.types["claims_stand"] else s.audience
            known = [to] if isinstance(to, int) else [*to]
            need([*s.audience] == known == [n for n in self.seats if n in known], "others know it")
            if not h.is_whole or r.tag != "chatted":
                is_told = h.is_whole or (h.seat in known and r.sequence >= h.since)
                need(s.is_open == is_told, "it hides or opens what it should not")
        for at, slot, salt, packed in r.disclosed:
            need(0 <= at < r.sequence and slot >= 0, "it opens a secret of the future")
            self.check_opening(self.records[at].secrets[slot], salt, packed)

    def find_keys(self, before):
        """Derive the keys of chance from the seeds that the file opens: section 10."""
        closed = [seeds_in(r.f) for r in self.records if r.tag == "room_closed/2"] or [{}]
        play, house = (s.value if s.is_open else closed[0].get(s.ref) for s in self.committed)
        room_id, bound = self.header.room_id, tuple(s.commitment for s in self.committed)
        setups = {fixing(r.f): r.f.seed for r in self.records if r.tag == "setup_opened"}
        if self.source:
            room_id, end = self.source[0], self.source[2] + 1
            ends = [r.f for r in self.records[end : end + 1] if r.tag == "branched"]
            seeds = [seed_in(seed[3]) for f in ends for seed in f.seeds]
            ends = ends if len(seeds) == 2 and seeds[0] and (seeds[1] or self.fixed) else []
            play, house = seeds if ends else (None, None)
            bound = tuple(hashed("manse commitment 1", room_id, *s) for f in ends for s in f.seeds)
            setups = {hashed("manse fixed setup 1", *f.setup): f.setup[1] for f in ends if f.setup}
        shares, self.keys = tuple(sorted(self.shares.items())), {}
        self.hidden = max((of[0] - of[3] for of in self.opened.values()), default=0)
        label = "manse keys 2"
        if self.room.version > 2:
            label, shares = "manse keys 3", tuple((n, s, self.bound[n]) for n, s in shares)
        play_salt = house_salt = hashed(label, room_id, bound, shares)
        if self.room.version == 1:
            play_salt, house_salt = before, b""
        if self.fixed:
            house, house_salt = setups.get(self.fixed), hashed("manse fixed keys 2", self.fixed)
        parts = ("play", play_salt, play), ("setup", house_salt, house), ("deal", house_salt, house)
        for stream, salt, seed in parts:
            if seed:
                info = f"manse {stream} {min(self.room.version, 2)}\1".encode()
                self.keys[stream] = hmac.digest(hmac.digest(salt, seed, "sha256"), info, "sha256")

    def check_draw(self, r, f):
        """Check the number of a draw, and recompute its outcome if key and secret are known."""
        stream, is_old = getattr(f, "stream", "deal"), self.room.version == 1
        row = stream if is_old else (stream, f.purpose)
        need(f.number == self.draws[row] and not (is_old and stream == "deal"), "out of its row")
        need(stream in self.keys or not self.header.is_whole, "a draw from no seed")
        self.draws[row] += 1
        [sealed] = r.secrets or [Row(is_open=True, value=())]
        need("pile" not in vars(f) or f.purpose == f"shuffle {f.pile}", "another pile is mixed")
        how = "pending" if stream not in self.keys else "computed" if sealed.is_open else "sealed"
        self.counts[f"{stream} {how}"] += 1
        if not sealed.is_open:
            return
        draw, value = ranked, sealed.value
        if r.tag == "dealt":
            items, value = value[0], value[1:]
            need(list(items) == sorted({*items}), "options that do not ascend")
        elif "pile" in vars(f):
            draw, items = (mixed if is_old or stream == "play" else ranked), value
            need(len(value) == len(f.handles), "not as many handles as cards")
        else:
            told = (f.sides, *f.faces) if r.tag == "rolled/2" else value or (f.bound, f.result)
            draw, value, items = drawn, told[1:], [told[0]] * len(told[1:])
            need(0 < told[0] <= 1 << 32 and all(0 <= n < told[0] for n in value), "no fair draw")
        if how == "computed":
            found = draw(self.keys[stream], f.number, f.purpose, items)[: len(value)]
            need(found == value, "a draw is not what the seed says")


def verify(data, types):
    """Return the log of a valid file. Raises Wrong."""
    log = Log(data, types)
    try:
        log.read()
        for record in log.records:
            log.at = record.sequence
            log.judge(record)
        log.at = log.header.record_count
        is_over = log.stage == "over" and log.publish and not log.fixed
        is_end = log.stage not in log.kinds and not log.source
        need(is_end and (is_over or not log.header.is_whole), "it ends early")
    except (ValueError, LookupError, TypeError, StopIteration, InvalidSignature) as wrong:
        raise Wrong(str(wrong) or "the signature is not on this", log.at) from wrong
    return log


def types_path():
    """Return the path of the types: beside this program, else in the repository."""
    here = Path(__file__).resolve()
    places = [here.with_name("types.json"), *(up / "protocol/types.json" for up in here.parents)]
    return next((place for place in places if place.exists()), places[0])


def main(arguments):
    if {"-h", "--help"} & {*arguments}:
        print(__doc__.strip())
        return 0
    try:
        names = arguments if len(arguments) != 1 else [*arguments, types_path()]
        data, types = (Path(name).read_bytes() for name in names)
        log = verify(data, json.loads(types))
    except Wrong as wrong:
        reason, at = wrong.args
        print(f"WRONG: {'the file' if at is None else f'event {at}'}: {reason}")
        return 1
    except (OSError, LookupError, ValueError) as error:
        print(f"nothing was checked: {error}\n{__doc__}", file=sys.stderr)
        return 2
    print(f"OK: {len(log.records)} events; draws: {dict(sorted(log.counts.items()))}")
    print(f"room {log.header.room_id}\nhead {log.head.hex()}\nsigner {log.header.server.hex()}")
    print(f"starts that failed with all seats bound and no share on the log: {log.silent}")
    if log.room.version < 3:
        print("an older log: its seats sign nothing, so starts that are hidden cannot be counted")
    else:
        print(f"starts that seats signed a share for and that are not on the log: {log.hidden}")
    if log.hidden:
        print("WARNING: starts were hidden from this log; a server could choose the dice")
    print("checked: what every game shares; its laws and rules are left to `manse verify`")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
