"""
Verify an exported game by PROTOCOL.md alone, in the order of section 14: what every game shares.

    python verify.py GAME.manse [types.json]

Needs Python 3.11, the package `cryptography`, and the generated file of types, which is looked for
beside this file and in the project's `protocol/`. Exit status: 0 where all holds, 1 where something
is wrong, 2 where nothing was checked.
"""

import hashlib
import hmac
import json
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace as Row

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FIRST = b"\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3\xc4\xc5\xc6\xd9\xda\xdb\xdc\xdd"
HEADS = dict(zip(FIRST, zip("uuuuiiiibbbtttaa", (1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 1, 2, 4, 2, 4))))
SMALL = {n & 255: n for n in range(-32, 128)} | {0xC0: None, 0xC2: False, 0xC3: True}
SCALARS = {"integer": int, "text": str, "bytes": bytes, "boolean": bool, "nil": type(None)}
INTEGER, TEXT, BYTES, BOOLEAN, _ = ({"is": name} for name in SCALARS)
SEATS = {"is": "array", "of": INTEGER}
SECRETS = {"is": "array", "of": {"is": "tuple", "of": [SEATS, BYTES]}}
PAIRS = {"is": "array", "of": {"is": "tuple", "of": [TEXT, TEXT]}}
WORDS = [TEXT, {"is": "array", "of": {"is": "tuple", "of": [TEXT, PAIRS]}}]
CUT = {"is": "class", "name": "Cut"}
HEADER = [TEXT, TEXT, BOOLEAN, INTEGER, INTEGER, INTEGER, BYTES, INTEGER]
PRIME, ORDER_8 = 2**255 - 19, 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
WEAK = {0, 1, PRIME - 1, ORDER_8, PRIME - ORDER_8}  # The second coordinates of small order.
DRAWS = {"rolled", "picked", "picked_secretly", "dealt", "shuffled"}
SITTING = {"seat_taken", "seat_left", "seat_emptied", "pieces_claimed"}
STAGE = dict.fromkeys({*SITTING, "setup_fixed", "start_requested"}, "lobby")
STAGE |= dict.fromkeys(("share_committed", "share_opened", "start_failed"), "starting")
STAGE |= {"setup_opened": "over"}
AFTER = {"presence_changed", "chatted", "seat_filled", "setup_opened"}


class Wrong(Exception):
    """What is wrong, and the sequence of the first wrong record, where a record is to blame."""


def need(holds, reason):
    if not holds:
        raise ValueError(reason)


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def decode(data):
    """Return the one value that bytes are: section 3."""
    value, _ = item(data, 0, 0)
    need(encode(value) == data, "more than one value, or not the shortest form")
    return value


def item(data, at, depth):
    """Return the value that begins at a place, and where it ends; `decode` finds bad forms."""
    first, at = data[at], at + 1
    if first in SMALL:
        return SMALL[first], at
    kind, size = ("a", first - 0x90) if first < 0xA0 else ("t", first - 0xA0)
    if first >= 0xC0:
        kind, width = HEADS[first]
        size, at = int.from_bytes(data[at : at + width], "big", signed=kind == "i"), at + width
    if kind != "a":
        value, end = data[at : at + size], at + size
        return (size, at) if kind in "ui" else (value if kind == "b" else str(value, "utf-8"), end)
    need(depth < 24, "arrays that nest too deep")
    items = []
    for _ in range(size):
        value, at = item(data, at, depth + 1)
        items.append(value)
    return tuple(items), at


def encode(value):
    if isinstance(value, tuple):
        return head("a", len(value), 0x90, 16) + b"".join(map(encode, value))
    if isinstance(value, str | bytes):
        text = value if isinstance(value, bytes) else value.encode()
        return (head("b", len(text)) if text is value else head("t", len(text), 0xA0, 32)) + text
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    return bytes([value & 255]) if -32 <= value < 0 else head("iu"[value >= 0], value, 0, 128)


def head(kind, size, short=0, end=0):
    """Return the shortest head of a value: one byte where its size is below an end."""
    if 0 <= size < end:
        return bytes([short + size])
    bits = (~size if size < 0 else size).bit_length() + (kind == "i")
    first = next(first for first, (of, width) in HEADS.items() if of == kind and bits <= 8 * width)
    return bytes([first]) + size.to_bytes(HEADS[first][1], "big", signed=size < 0)


def drawn(key, number, purpose, bounds):
    """Return one number below each bound: section 10."""
    found, left, block = [], [], 0
    for bound in bounds:
        value = fair = (1 << 32) - (1 << 32) % bound
        while value >= fair:
            if not left:
                digest = hmac.digest(key, encode((number, purpose, block)), "sha256")
                left, block = [digest[at : at + 4] for at in range(28, -1, -4)], block + 1
            value = int.from_bytes(left.pop(), "big")
        found.append(value % bound)
    return tuple(found)


def mixed(key, number, purpose, items):
    order = sorted(items)
    others = drawn(key, number, purpose, range(len(order), 1, -1))
    for last, other in zip(range(len(order) - 1, 0, -1), others):
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def ranked(key, number, purpose, items):
    names = [(number, purpose, each, n + 1) for each in {*items} for n in range(items.count(each))]
    names.sort(key=lambda name: hmac.digest(key, encode(name), "sha256"))
    return tuple(name[2] for name in names)


def opens(commitment, *parts):
    """Return whether salt and value, the last of the parts, are what was committed to."""
    return len(parts[-2]) == 32 and sha(encode(("manse commitment 1", *parts))) == commitment


def is_seed(value):
    return len(value) == 34 and value[:2] == b"\xc4\x20"


def newer(field, value):
    """Return the value of a field that an earlier form had in another way."""
    if "values" in field:
        value = {encode(old): new for old, new in field["values"]}.get(encode(value), ...)
    value = (*value, *field["more"]) if "more" in field and type(value) is tuple else value
    value = field.get("is", value)
    return tuple(value) if isinstance(value, list) else value


class Log:
    """A file, the types that it is read by, and what it amounts to so far."""

    def __init__(self, types):
        self.integers, self.enumerations = types["integers"], types["enumerations"]
        self.classes = {name: of["fields"] for name, of in types["classes"].items()}
        self.kinds = {of["tag"]: of for of in types["events"]}
        self.earlier = {of["tag"]: of for of in types["earlier"]}
        self.at, self.stage, self.seats, self.last, self.time = None, "lobby", {}, "", 0
        self.due = self.fixed = self.opened = None
        self.records, self.draws, self.handles, self.counts = [], Counter(), set(), Counter()

    def fits(self, of, value):
        """Return whether a value is of a type, or its items are of a list of types."""
        if isinstance(of, list):
            return type(value) is tuple and len(of) == len(value) and all(map(self.fits, of, value))
        name = of["is"]
        if name == "enumeration":
            return isinstance(value, str) and value in self.enumerations[of["name"]]
        if name == "union":
            return any(self.fits(part, value) for part in of["of"])
        if name in {"class", "tuple"}:
            fields = self.classes[of["name"]] if name == "class" else []
            return self.fits([field["type"] for field in fields] or of["of"], value)
        if type(value) is not SCALARS.get(name, tuple) or name in {"nil", "boolean"}:
            return type(value) is SCALARS.get(name, tuple)
        if name == "mapping":
            keys = [encode(each[0]) for each in value if self.fits([of["from"], of["to"]], each)]
            return len(keys) == len(value) and keys == sorted({*keys})
        size = value if name == "integer" else len(value)
        bounds = {**self.integers, **of} if name == "integer" else of
        is_in = bounds.get("at_least", 0) <= size <= bounds.get("at_most", size)
        return is_in and (name != "array" or all(self.fits(of["of"], each) for each in value))

    def record(self, public, openings):
        """Return a record, its fields in `f`: section 6."""
        sequence, time, origin, tag, fields, secrets = decode(public)
        parts = ((sequence, time, origin), tag, secrets)
        need(self.fits([SEATS, TEXT, SECRETS], parts) and type(fields) is tuple, "no record")
        while tag in self.earlier:
            of = self.earlier[tag]
            need(len(fields) == len(of["fields"]), "fields of another number")
            was, tag = dict(zip(of["fields"], fields)), of["read_as"]
            fields = [newer(field, was.get(field.get("from"))) for field in of["becomes"]]
        r = Row(sequence=sequence, time=time, origin=origin, kind=self.kinds[tag], f=Row())
        r.name = tag.split("/")[0] if r.kind["of"] == "common" else "of a game"
        r.slots, opened = [slot for slot, _ in openings], dict(openings)
        is_once = len(opened) == len(openings) and opened.keys() <= {*range(len(secrets))}
        need(is_once and sequence == self.at, "no such openings, or in another's place")
        r.secrets = [self.secret(sequence, n, *s, opened) for n, s in enumerate(secrets)]
        fields, shut = list(fields), list(r.secrets)
        for field in r.kind["fields"]:
            of, to, found = field["type"], field.get("secret_to"), {}
            keys = fields.pop(0) if to in (None, "each") else [0]
            need(self.fits(SEATS if to == "each" else of, keys) or to not in (None, "each"), "type")
            need(to != "each" or list(keys) == sorted({*keys}), "seats that do not ascend")
            for key in keys if to else ():
                found[key] = s = shut.pop(0)
                s.to, of_one = (key, of["to"]) if to == "each" else (to, of)
                need(not s.is_open or self.fits(of_one, s.value), "a secret of another type")
            setattr(r.f, field["name"], found if to == "each" else found.get(0, keys))
        need(not fields and not shut, "more than it can have")
        return r

    def secret(self, sequence, slot, audience, commitment, opened):
        told, ref = opened.get(slot), (sequence, slot)
        need(not told or opens(commitment, self.room_id, *ref, *told), "it opens another secret")
        value, is_open = told and decode(told[1]), told is not None
        return Row(audience=audience, commitment=commitment, ref=ref, value=value, is_open=is_open)

    def frame(self):
        size = int.from_bytes(self.data[self.end : self.end + 4], "big")
        self.start, self.end = self.end, self.end + 4 + size
        need(0 < size <= 65536 and self.end <= len(self.data), "the file ends here, or is damaged")
        return decode(self.data[self.start + 4 : self.end])

    def read(self, data):
        """Read a file that hangs together: section 13. Return who signed it."""
        self.data, self.end = data, 0
        header = self.frame()
        magic, self.room_id, self.is_whole, self.seat, self.since, _, server, count = header
        need(self.fits(HEADER, header) and magic == "manse archive 1", "no header")
        is_nobodys = not self.is_whole or (self.seat, self.since) == (-1, 0)
        need(is_nobodys and min(self.since, self.seat + 1, count) >= 0, "no header")
        need(int.from_bytes(server, "little") % 2**255 % PRIME not in WEAK, "a key of small order")
        self.head = sha(b"manse chain 1", self.room_id.encode())
        for self.at in range(count):
            public, openings, told = self.frame()
            need(self.fits([CUT, BYTES], ((public, openings), told)), "no line")
            before, self.head = self.head, sha(b"manse chain 1", self.head, public)
            need(told == self.head, "it is not the one that was chained here")
            self.records.append(self.record(public, openings))
            self.records[-1].before = before
        self.at = None
        while (words := self.frame())[:1] != ("seal",):
            need(self.fits(WORDS, words), "no words")
        signed = sha(b"manse archive seal 1", data[: self.start])
        need(self.fits([TEXT, BYTES], words), "no seal")
        Ed25519PublicKey.from_public_bytes(server).verify(words[1], signed)
        self.at = count
        need(self.end == len(data), "something follows the seal")
        return server

    def judge(self, r):
        """Check a record against the log before it, and note what it changes: section 14."""
        f, name, seats, seat = r.f, r.name, self.seats, getattr(r.f, "seat", None)
        due, self.due, is_input = self.due, None, r.kind["is_input"]
        need((name == "room_opened") == (self.last == ""), "the first record opens the room")
        need(is_input == (r.origin != -1), "inputs have an origin, and nothing else has one")
        need(self.time <= r.time <= 2**53 and (is_input or r.time == self.time), "a wrong time")
        need(name == due if due else name not in {"seeds_committed", "game_started"}, "not due")
        need(is_input or due or self.stage == "playing", "no game is going on")
        need(self.stage != "over" or name in AFTER, "the game is over")
        need(STAGE.get(name, self.stage) == self.stage, f"not while the stage is {self.stage}")
        need((seat in seats) != (name == "seat_taken") or name not in SITTING, "the seat is taken")
        self.last, self.time = name, r.time
        self.check_secrets(r)
        if name in DRAWS:
            self.check_draw(r, f)
        match name:
            case "room_opened":
                need(f.room_id == self.room_id and f.version in {1, 2} and not f.source, "another")
                names = [field["name"] for field in self.classes["Settings"]]
                self.version, self.publish = f.version, f.settings[names.index("publish")]
            case "seat_taken" | "pieces_claimed":
                self.seats = dict(sorted({**seats, seat: getattr(f, "pieces", ())}.items()))
            case "seat_left" | "seat_emptied":
                del seats[seat]
            case "setup_fixed":
                need(self.version > 1 and (not f.setup or len(f.setup[1]) == 32), "no setup")
                self.fixed = f.setup and f.setup[1]
            case "start_requested":
                self.stage, self.due = "starting", "seeds_committed"
                self.bound, self.shares = {}, {}
            case "seeds_committed":
                self.committed = f.play_seed, f.house_seed
                for s, size in zip(self.committed, (32, 0 if self.fixed else 32)):
                    need(not s.is_open or len(s.value) == size, "a seed of another length")
            case "share_committed":
                is_due = seat in seats and seat not in self.bound
                need(is_due and len(f.commitment) == 32, "no commitment of this seat is due")
                self.bound[seat] = f.commitment
            case "share_opened":
                is_due = len(self.bound) == len(seats) and seat not in self.shares
                is_it = is_due and len(f.share) == 32 and sha(f.share) == self.bound[seat]
                need(is_it, "no share of this seat is due, or another")
                self.shares[seat] = f.share
                self.due = "game_started" if len(self.shares) == len(seats) else None
            case "start_failed":
                self.stage = "lobby"
            case "game_started":
                need(f.players == tuple(seats.items()), "others play than sit there")
                self.stage, self.keys = "playing", self.find_keys(r.before)
            case "room_closed":
                refs = [s.ref for s in self.committed][: 1 if self.fixed else 2]
                told = [opened[:2] for opened in f.seeds if is_seed(opened[3])]
                is_it = len(told) == len(f.seeds) and told == (refs if self.publish else [])
                need(is_it and f.how == "finished", "it opens others than its seeds")
                self.stage = "over"
            case "setup_opened":
                is_it = len(f.salt) == len(f.seed) == 32 and self.is_setup(f) and not self.opened
                need(is_it, "another setup than the one that was fixed, or opened before")
                self.opened = True

    def check_secrets(self, r):
        need(r.slots == sorted(r.slots), "openings that do not ascend")
        for s in r.secrets:
            to = getattr(r.f, s.to["field"]) if isinstance(s.to, dict) else s.to
            if isinstance(to, str):
                all_of = {"nobody": [], "table": [*self.seats]} if to == s.to else {}
                to = all_of.get(to, [n for n, pieces in self.seats.items() if to in pieces])
            known = (to,) if isinstance(to, int) else tuple(sorted(to))
            need(s.audience == known and len(s.commitment) == 32, "others know it than should")
            is_ours = self.is_whole or (self.seat in known and r.sequence >= self.since)
            is_talk = self.is_whole and r.name == "chatted"
            need(is_talk or s.is_open == is_ours, "it hides or opens what it should not")
        for name, of in ((field["name"], field["type"]) for field in r.kind["fields"]):
            if {"is": "class", "name": "Disclosure"} in (of, of.get("of")):
                value = getattr(r.f, name)
                for at, slot, *opening in value if of["is"] == "array" else [value]:
                    need(0 <= at < r.sequence and slot >= 0, "it opens a secret of the future")
                    commitment = self.records[at].secrets[slot].commitment
                    need(opens(commitment, self.room_id, at, slot, *opening), "another's opening")

    def find_keys(self, before):
        """Return the keys of chance, from seeds that are told anywhere in the file: section 10."""
        (play, house), shares = self.committed, tuple(sorted(self.shares.items()))
        closed = [opened for r in self.records if r.name == "room_closed" for opened in r.f.seeds]
        told = {(at, slot): value[2:] for at, slot, _, value in closed if is_seed(value)}
        told |= {s.ref: s.value for s in self.committed if s.is_open}
        bound = ("manse keys 2", self.room_id, (play.commitment, house.commitment), shares)
        salt = house_salt = sha(encode(bound))
        seed, house_seed, keys = told.get(play.ref), told.get(house.ref), {}
        if self.version == 1:
            salt, house_salt = before, b""
        if self.fixed:
            opened = [r.f for r in self.records if r.name == "setup_opened"]
            house_seed = next((f.seed for f in opened if self.is_setup(f)), None)
            house_salt = sha(encode(("manse fixed keys 2", self.fixed)))
        parts = {"play": (salt, seed), "setup": (house_salt, house_seed)}
        parts |= {"deal": (house_salt, house_seed)} if self.version > 1 else {}
        for stream, (salt, seed) in parts.items():
            if seed:
                key, info = hmac.digest(salt, seed, "sha256"), f"manse {stream} {self.version}\1"
                keys[stream] = hmac.digest(key, info.encode(), "sha256")
        return keys

    def is_setup(self, f):
        return sha(encode(("manse fixed setup 1", f.salt, f.seed))) == self.fixed

    def check_draw(self, r, f):
        """Check the number of a draw, and compute its outcome where key and secret are open."""
        stream, is_old, name = getattr(f, "stream", "deal"), self.version == 1, r.name
        row = stream if is_old else (stream, f.purpose)
        need(f.number == self.draws[row] and not (is_old and stream == "deal"), "out of its row")
        need(stream in self.keys or not self.is_whole, "a draw from no seed")
        self.draws[row] += 1
        [sealed] = r.secrets or [None]
        knowers, is_open = (f.knowers, sealed.is_open) if sealed else ((), True)
        need([n for n in self.seats if n in knowers] == [*knowers], "knowers that are no seats")
        if name == "rolled":
            value, bounds = f.faces, [f.sides] * len(f.faces)
            is_drawn = 0 < f.sides <= 1 << 32 and all(0 <= n < f.sides for n in value)
        elif name in {"picked", "picked_secretly"}:
            bound, result = (sealed.value or (1, 0)) if sealed else (f.bound, f.result)
            value, bounds, is_drawn = (result,), [bound], 0 <= result < bound <= 1 << 32
        elif name == "dealt":
            options, *value = sealed.value or ((), None)
            is_drawn = list(options) == sorted({*options})
        else:
            value, is_drawn = sealed.value or (), f.purpose == f"shuffle {f.pile}"
            need(len({*f.handles} - self.handles) == len(f.handles), "a handle of another card")
            need(not is_open or len(value) == len(f.handles), "not as many handles as cards")
            self.handles |= {*f.handles}
        need(is_drawn, "what chance cannot give")
        how = ("computed" if is_open else "sealed") if stream in self.keys else "pending"
        self.counts[f"{stream} {how}"] += 1
        if how == "computed":
            draw = (self.keys[stream], f.number, f.purpose)
            if name == "dealt":
                outcome = ranked(*draw, options)[:1]
            elif name == "shuffled":
                outcome = (mixed if is_old or stream == "play" else ranked)(*draw, value)
            else:
                outcome = drawn(*draw, bounds)
            need(outcome == tuple(value), "a draw is not what the seed says")


def verify(data, types):
    """Return the log of a valid file and who signed it. Raises Wrong."""
    log = Log(types)
    try:
        server = log.read(data)
        for record in log.records:
            log.at = record.sequence
            log.judge(record)
        log.at = len(log.records)
        is_over = log.stage == "over" and log.publish and (log.opened or not log.fixed)
        need((is_over or not log.is_whole) and not log.due, "it ends too early")
    except (ValueError, LookupError, TypeError, StopIteration, InvalidSignature) as wrong:
        where = "" if log.at is None else f"event {log.at}: "
        raise Wrong(f"{where}{wrong or 'the signature is not on this'}", log.at) from wrong
    return log, server


def main(arguments):
    here = Path(__file__).resolve()
    beside = [here.with_name("types.json"), here.parents[2] / "protocol" / "types.json"]
    try:
        types = arguments[1:] or [place for place in beside if place.exists()]
        types = json.loads(Path(types[0]).read_text("utf-8"))
        log, server = verify(Path(arguments[0]).read_bytes(), types)
    except Wrong as wrong:
        print(f"WRONG: {wrong.args[0]}")
        return 1
    except (OSError, LookupError, ValueError) as error:
        print(f"nothing was checked: {error!r}\n{__doc__}", file=sys.stderr)
        return 2
    print(f"OK: {len(log.records)} events; draws: {dict(sorted(log.counts.items()))}")
    print(f"room {log.room_id}, head {log.head.hex()}\nsigned by the key {server.hex()}")
    print("checked: what every game shares; the laws of one game are `manse verify`'s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
