"""A client that knows the protocol only from a file of types, as an older client does.

It uses nothing of `protocol`: kinds, fields and bounds come from the file. It reads the server's
messages as strictly as our own readers do, so a field, value or kind that the file lacks ends the
client (`NotKnown`). It plays with random answers.
"""

import hashlib
import re
import socket
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from types import SimpleNamespace as Row
from typing import Any, Final

import attrs
import msgpack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from OpenSSL import SSL

PATIENCE_SECONDS: Final = 60
SCALARS: Final[Mapping[str, type]] = {"boolean": bool, "nil": type(None), "any": object}
SIZED: Final[Mapping[str, type]] = {"integer": int, "text": str, "bytes": bytes, "array": list}
NEXT_NUMBERS: Final = 255
WINDOW: Final = 64
PARTS: Final = range(8, 513)

Json = Mapping[str, Any]


class NotKnown(Exception):
    """The server sent something that the file of types lacks."""


class Ended(Exception):
    """The server ended the connection; the message is its code."""


def pack(value: object) -> bytes:
    """Encode a plain value."""
    return bytes(msgpack.packb(value))


def unpack(data: bytes) -> Any:
    """Decode a plain value. Raises `NotKnown` unless its encoding is that of section 3."""
    value = msgpack.unpackb(data)
    if pack(value) != data:
        raise NotKnown("not the shortest encoding")
    return value


@attrs.frozen
class Types:
    """The file of types."""

    json: Json

    def kinds(self, part: str) -> dict[str, Json]:
        """Return the kinds of one part of the file, by tag."""
        return {kind["tag"]: kind for kind in self.json[part]}

    def row(self, name: str, fields: Sequence[Json], values: Any) -> Row:
        """Read a class or a message. Raises `NotKnown`."""
        if type(values) is not list:
            raise NotKnown(f"{name} is no array")
        if len(values) != len(fields):
            raise NotKnown(f"{name} has {len(fields)} fields, {len(values)} found")
        pairs = zip(fields, values, strict=True)
        return Row(**{of["name"]: self.read(of["type"], value) for of, value in pairs})

    def plainest(self, name: str) -> list[Any]:
        """Return an encoded instance of a class, with the least or first value for every field."""
        empty = {"boolean": False, "text": "", "bytes": b"", "array": []}
        types = [field["type"] for field in self.json["classes"][name]["fields"]]
        enumerations = self.json["enumerations"]
        return [
            empty[of["is"]]
            if of["is"] in empty
            else enumerations[of["name"]][0]
            if of["is"] == "enumeration"
            else of["at_least"]
            for of in types
        ]

    def read(self, of: Json, value: Any) -> Any:
        """Read a value of a type. Raises `NotKnown`."""
        match of["is"]:
            case "class":
                return self.row(of["name"], self.json["classes"][of["name"]]["fields"], value)
            case "enumeration":
                if value not in self.json["enumerations"][of["name"]]:
                    raise NotKnown(f"{of['name']} has no {value!r}")
            case "union":
                return self._member(of["of"], value)
            case "tuple":
                if type(value) is not list or len(value) != len(of["of"]):
                    raise NotKnown(f"{len(of['of'])} items expected, not {value!r}")
                return [self.read(each, item) for each, item in zip(of["of"], value, strict=True)]
            case "mapping":
                pair = {"is": "tuple", "of": [of["from"], of["to"]]}
                return dict(self.read({"is": "array", "of": pair}, value))
            case scalar if scalar in SCALARS:
                if not isinstance(value, SCALARS[scalar]):
                    raise NotKnown(f"{value!r} is no {scalar}")
            case kind:
                return self._sized(kind, of, value)
        return value

    def _member(self, members: Sequence[Json], value: Any) -> Any:
        """Read a value as the union member that it belongs to."""
        faults = []
        for each in members:
            try:
                return self.read(each, value)
            except NotKnown as fault:
                faults.append(str(fault))
        raise NotKnown("; or ".join(faults))

    def _sized(self, kind: str, of: Json, value: Any) -> Any:
        bounds: Json = {**(self.json["integers"] if kind == "integer" else {}), **of}
        is_of_kind = type(value) is SIZED[kind]
        if not is_of_kind:
            raise NotKnown(f"{value!r} is no {kind}")
        size = value if kind == "integer" else len(value)
        if not bounds.get("at_least", 0) <= size <= bounds.get("at_most", size):
            raise NotKnown(f"{value!r} is out of bounds")
        if "pattern" in of and not re.fullmatch(of["pattern"], value):
            raise NotKnown(f"{value!r} does not match {of['pattern']}")
        return [self.read(of["of"], item) for item in value] if kind == "array" else value

    def event(self, public: bytes, openings: Sequence[Any]) -> Row:
        """Read a record; secrets sealed to others become None. Raises `NotKnown`."""
        record = self.read({"is": "class", "name": "Public"}, unpack(public))
        kind = self.kinds("events").get(record.tag)
        if kind is None:
            raise NotKnown(f"no event is called {record.tag}")
        fields, slots = list(record.fields), iter(range(len(record.secrets)))
        opened = {slot: opening.value for slot, opening in openings}

        def secret(of: Json) -> Any:
            slot = next(slots, None)
            if slot is None:
                raise NotKnown(f"{record.tag} has more secrets than {len(record.secrets)}")
            return None if slot not in opened else self.read(of, unpack(opened[slot]))

        values: dict[str, Any] = {}
        for of in kind["fields"]:
            to = of.get("secret_to")
            if to not in (None, "each"):
                values[of["name"]] = secret(of["type"])
                continue
            if not fields:
                raise NotKnown(f"{record.tag} lacks the field {of['name']}")
            value = fields.pop(0)
            if to is None:
                values[of["name"]] = self.read(of["type"], value)
            else:
                values[of["name"]] = {seat: secret(of["type"]["to"]) for seat in value}
        if fields or next(slots, None) is not None:
            known = len(record.fields) - len(fields)
            raise NotKnown(f"{record.tag} has {known} open fields, {len(record.fields)} found")
        return Row(**vars(record), commitments=[one for _, one in record.secrets], **values)


@attrs.define
class Brief:
    """What was sent before on a connection, needed to read brief records (section 6)."""

    room: str = ""
    numbered: list[bytes] = attrs.field(factory=list)
    count: int = 0
    parts: list[bytes] = attrs.field(factory=list)

    def records(self, message: Row) -> Iterator[tuple[bytes, list[Any]]]:
        """Yield the public bytes and the openings of each record."""
        self.room = message.room_id or self.room
        timed = [(span.time, one) for span in message.spans for one in span.records]
        for sequence, (time, one) in enumerate(timed, message.first):
            head = b"\x96" + pack(sequence) + pack(time) + self._known(one.kind)
            rest = one.rest if isinstance(one.rest, list) else [one.rest]
            public = head + b"".join([self._known(each) for each in rest])
            yield public, [[of.slot, Row(value=self._joined(of.value))] for of in one.openings]

    def _known(self, given: Any) -> bytes:
        if isinstance(given, int):
            return self.numbered[given]
        if isinstance(given, list):
            self.numbered[self.count : self.count + 1] = given
            self.count = (self.count + 1) % NEXT_NUMBERS
            return bytes(given[0])
        return bytes(given)

    def _joined(self, given: Any) -> bytes:
        joined = []
        for each in given if isinstance(given, list) else [given]:
            joined.append(self.parts[-each] if isinstance(each, int) else each)
            if isinstance(given, list) and isinstance(each, bytes) and len(each) in PARTS:
                self.parts = [*self.parts, each][-WINDOW:]
        return b"".join(joined)


@attrs.define(eq=False)
class Client:
    """A session, with the state of the one table that it follows."""

    types: Types
    tls: SSL.Connection
    key: Ed25519PrivateKey
    random: Random
    heard: set[str] = attrs.field(factory=set)
    """Tags of the received messages and events."""
    serial: int = 0
    brief: Brief = attrs.field(factory=Brief)
    replies: dict[int, Row] = attrs.field(factory=dict)
    room: str = ""
    seat: int = -1
    version: int = 0
    """Version of the table's log."""
    stage: str = "lobby"
    ready: set[int] = attrs.field(factory=set)
    seeds: list[bytes] = attrs.field(factory=list)
    shares: dict[int, bytes] = attrs.field(factory=dict)
    """Commitments to shares of chance, by seat."""
    asked: Row | None = None
    """The open question of this seat, until it is answered."""
    _buffer: bytes = b""

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes_raw()

    # The connection ------------------------------------------------------------------------

    def frame(self) -> bytes:
        """Return the next payload. Raises `Ended`."""
        while len(self._buffer) < 4 or len(self._buffer) < 4 + self._size():
            try:
                self._buffer += self.tls.recv(1 << 16)
            except (SSL.ZeroReturnError, SSL.SysCallError) as error:
                raise Ended("closed") from error
        end = 4 + self._size()
        payload, self._buffer = self._buffer[4:end], self._buffer[end:]
        return payload

    def _size(self) -> int:
        return int.from_bytes(self._buffer[:4], "big")

    def send(self, part: str, tag: str, **values: object) -> None:
        """Send a message with exactly the fields that the file lists."""
        fields = [values[of["name"]] for of in self.types.kinds(part)[tag]["fields"]]
        payload = pack([tag, *fields])
        self.tls.sendall(len(payload).to_bytes(4, "big") + payload)

    def next(self, part: str) -> Row:
        """Read the next message of the server. Raises `NotKnown`, `Ended`."""
        tag, *values = unpack(self.frame())
        kind = self.types.kinds(part).get(tag)
        if kind is None or kind["by"] != "server":
            raise NotKnown(f"no message of a server is called {tag}")
        self.heard.add(tag)
        return Row(tag=tag, **vars(self.types.row(tag, kind["fields"], values)))

    def login(self, version: int, name: str) -> Row:
        """Log in (section 4)."""
        exporter = self.tls.export_keying_material(b"EXPORTER-Channel-Binding", 32)
        hello = self.next("login")
        identity = Ed25519PublicKey.from_public_bytes(hello.identity)
        identity.verify(hello.signature, pack(["manse hello 1", hello.nonce, exporter]))
        statement = pack(["manse login 1", hello.identity, hello.nonce, exporter])
        self.send(
            "login",
            "login",
            versions=[version],
            key=self.public,
            name=name,
            language="en",
            signature=self.key.sign(statement),
        )
        welcome = self.next("login")
        assert welcome.tag == "welcome", welcome
        assert welcome.version == version
        return welcome

    def ask(self, tag: str, **values: object) -> Row:
        """Send a request; handle messages up to the reply, and return the reply."""
        self.serial += 1
        serial = self.serial
        self.send("messages", tag, serial=serial, room_id=self.room, **values)
        while serial not in self.replies:
            self.step()
        return self.replies.pop(serial)

    def step(self) -> None:
        message = self.next("messages")
        if message.tag == "goodbye":
            raise Ended(f"{message.code}: {message.reason}")
        if message.tag == "brief_records":
            for public, openings in self.brief.records(message):
                self.see(self.types.event(public, openings))
        elif message.tag == "records":
            for cut in message.cuts:
                self.see(self.types.event(cut.public, cut.openings))
        elif hasattr(message, "serial"):
            self.replies[message.serial] = message

    # The table -----------------------------------------------------------------------------

    def see(self, event: Row) -> None:
        """Update the state by a record."""
        self.heard.add(event.tag)
        match event.tag:
            case "room_opened/9":
                self.version = event.version
            case "ready_set/2":
                (self.ready.add if event.is_ready else self.ready.discard)(event.seat)
            case "seeds_committed":
                self.seeds, self.shares, self.stage = event.commitments, {}, "starting"
            case "share_committed":
                self.shares[event.seat] = event.commitment
            case "game_started/3":
                self.stage = "playing"
            case "room_closed/2":
                self.stage = "over"
            case "asked/3":
                self.asked = event if event.questions.get(self.seat) else None

    def open_table(self, scenario: str) -> None:
        """Open a table as its host, and follow it."""
        settings = self.types.plainest("Settings")
        opened = self.ask("open_table", settings=settings, scenario=scenario, password="")
        assert opened.tag == "table_opened", opened
        self.room = opened.room_id
        self.seat = self.ask("enter_table", after=-1, head=b"").seat

    def signed(self, *statement: object) -> bytes:
        """Sign a statement (section 10)."""
        return self.key.sign(pack(statement))

    def start(self, characters: Sequence[str], seats: int) -> None:
        """Start the game once all other seats are ready."""
        assert self.ask("claim_pieces", characters=characters).tag == "done"
        signature = self.signed("manse ready 1", self.room, self.seat, True, 1)
        assert self.ask("set_ready", is_ready=True, number=1, signature=signature).tag == "done"
        while len(self.ready) < seats:
            self.step()
        signature = self.signed("manse start 1", self.room, self.seat, 2)
        assert self.ask("start_game", number=2, signature=signature).tag == "done"
        while self.stage != "starting":
            self.step()
        share = self.random.randbytes(32)
        bound = hashed("manse share 3", self.room, self.seat, 1, b"", share)
        assert self.ask("commit_share", commitment=bound).tag == "done"
        while len(self.shares) < seats:
            self.step()
        shares = [[seat, self.shares[seat]] for seat in sorted(self.shares)]
        start = hashed("manse kept start 1", self.room, self.version, self.seeds, None, shares)
        own = (self.room, self.seat, 1, b"", start, hashlib.sha256(share).digest())
        signature = self.signed("manse opening 1", *own)
        opening = {"share": share, "number": 1, "before": b"", "signature": signature}
        assert self.ask("open_share", **opening).tag == "done"
        while self.stage != "playing":
            self.step()

    def play(self, answers: int) -> int:
        """Answer at random until the game is over or the limit is reached; return the count."""
        for count in range(answers):
            while self.asked is None and self.stage == "playing":
                self.step()
            if self.asked is None:
                return count
            self._answer(self.asked)
        return answers

    def _answer(self, asked: Row) -> None:
        question, self.asked = asked.questions[self.seat], None
        picks = []
        for one in (question, *question.then):
            most = min(one.at_most, len(one.choices))
            chosen = self.random.sample(one.choices, self.random.randint(one.at_least, most))
            picks += [choice.choice_id for choice in chosen]
        is_vote = asked.settle in {"agree", "majority"} and asked.audience == "all"
        reply = self.ask("vote" if is_vote else "answer", ask_id=asked.ask_id, picks=picks)
        assert reply.tag == "done" or reply.code.startswith("answer/"), reply
        if reply.tag != "done" and reply.code != "answer/stale" and self.asked is None:
            # Rules may refuse some picks of a question of many.
            self.asked = asked


def hashed(*parts: object) -> bytes:
    """Return the SHA-256 of an encoded array."""
    return hashlib.sha256(pack(parts)).digest()


@contextmanager
def connected(port: int, types: Json, seed: int) -> Iterator[Client]:
    """Connect a player to a server on this machine."""
    random = Random(seed)
    with socket.create_connection(("127.0.0.1", port)) as raw:
        # Blocking, as pyOpenSSL wants, but not for ever.
        raw.settimeout(None)
        for way in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            raw.setsockopt(socket.SOL_SOCKET, way, struct.pack("ll", PATIENCE_SECONDS, 0))
        tls = SSL.Connection(SSL.Context(SSL.TLS_CLIENT_METHOD), raw)
        tls.set_connect_state()
        tls.do_handshake()
        key = Ed25519PrivateKey.from_private_bytes(random.randbytes(32))
        yield Client(Types(types), tls, key, random)
