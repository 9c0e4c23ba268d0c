"""Parts of forgers: a file that is changed by the names of its fields."""

import copy
import functools
import hashlib
import itertools
import random
from collections.abc import Callable
from typing import Any

import attrs

from protocol import codec
from protocol.commitments import Opening, commit
from tests.kit.tables.branches import PLAYER
from tests.kit.tables.playing import signing_key
from tests.verifying.files import File, Line, Plain, listed, tupled
from tests.verifying.logs import types

ROOM, CLOCK, OPERATOR = -1, -2, -3
NOBODY = 7
"""A seat that no file of the pools has."""


class NothingToForge(LookupError):
    """The file has no place for this forger."""


@functools.cache
def public_names(tag: str) -> tuple[str, ...]:
    """Return the names of a kind's public fields in order, also for an earlier version."""
    return tuple(
        field["name"]
        for field in kind_of(tag)["fields"]
        if field.get("secret_to") in (None, "each")
    )


def kind_of(tag: str) -> dict[str, Any]:
    """Return what `types.json` says of a kind."""
    [kind] = [k for k in (*types()["events"], *types()["earlier"]) if k["tag"] == tag]
    return dict(kind)


@attrs.define
class Forgery:
    """A file that is being forged."""

    rng: random.Random
    file: File
    is_numbered: bool = True
    """True if every record gets its own place as its sequence at the end."""
    data: bytes | None = None
    """The forged bytes, if frames themselves are forged."""

    @property
    def lines(self) -> list[Line]:
        return self.file.lines

    def need(self, holds: object) -> None:
        """Raise NothingToForge unless this file fits."""
        if not holds:
            raise NothingToForge

    def places(self, *tags: str) -> list[int]:
        """Return the places of all records of these kinds."""
        return [at for at, line in enumerate(self.lines) if line.tag in tags]

    def one(self, *tags: str) -> int:
        """Return the place of a record of one of these kinds."""
        found = self.places(*tags)
        self.need(found)
        return self.rng.choice(found)

    def any_after(self, tag: str) -> int:
        """Return a random place behind the first record of a kind."""
        [first, *_] = self.places(tag) or [len(self.lines)]
        self.need(first + 1 < len(self.lines))
        return self.rng.randrange(first + 1, len(self.lines))

    def index(self, at: int, name: str) -> int:
        """Return the index of a public field."""
        return public_names(self.lines[at].tag).index(name)

    def get(self, at: int, name: str) -> Plain:
        """Return the value of a public field."""
        return self.lines[at].fields[self.index(at, name)]

    def put(self, at: int, name: str, value: Plain) -> int:
        """Change the value of a public field; return the place."""
        self.need(value != self.get(at, name) or type(value) is not type(self.get(at, name)))
        self.lines[at].fields[self.index(at, name)] = value
        return at

    def opened(self, at: int, slot: int = 0) -> Plain:
        """Return the value of an open secret."""
        for place, (_salt, value) in self.lines[at].openings:
            if place == slot:
                return listed(codec.unpack(value))
        raise NothingToForge

    def put_opened(self, at: int, value: Plain, slot: int = 0) -> int:
        """Change the value of an open secret; return the place."""
        self.need(tupled(value) != tupled(self.opened(at, slot)))
        for place, opening in self.lines[at].openings:
            if place == slot:
                opening[1] = codec.pack(tupled(value))
        return at

    def insert(self, at: int, origin: int, tag: str, *fields: Plain) -> int:
        """Insert a record without secrets, with the time of the one before; return its place."""
        time = self.lines[at - 1].public[1] if at else 0
        self.lines.insert(at, Line([at, time, origin, tag, list(fields), []], []))
        return at

    def again(self, source: int, at: int) -> int:
        """Insert a copy of a record, with the time of the one before; return its place."""
        line = copy.deepcopy(self.lines[source])
        line.public[1] = self.lines[at - 1].public[1]
        self.lines.insert(at, line)
        return at

    def remove(self, at: int) -> int:
        """Remove a record; return the place of the next one."""
        del self.lines[at]
        return at

    def end(self, at: int, seat: int = -1) -> int:
        """Make the file a seat's cut that ends with a record; return the record's place."""
        self.need(self.file.header[2] or seat in {-1, self.file.header[3]})
        del self.lines[at + 1 :]
        self.file.header[2:5] = [False, seat, 0]
        for line in self.lines:
            slots = [slot for slot, (seats, _) in enumerate(line.secrets) if seat in seats]
            line.openings = [opening for opening in line.openings if opening[0] in slots]
        return at

    def seats(self, at: int) -> list[int]:
        """Return the seats that are taken before a record, ascending."""
        found: set[int] = set()
        for line in self.lines[:at]:
            if line.tag == "seat_taken":
                found.add(line.fields[0])
            elif line.tag in {"seat_left", "seat_emptied"}:
                found.discard(line.fields[0])
        return sorted(found)

    # Signatures

    def sign_statements(self) -> None:
        """Sign all readiness and requests again, with their present fields."""
        room_id = self.file.header[1]
        for line in self.lines:
            if line.tag == "ready_set/2" and line.public[2] >= 0:
                seat, is_ready, number, _ = line.fields
                said = codec.pack(("manse ready 1", room_id, seat, is_ready, number))
                line.fields[3] = signing_key(seat).sign(said)
            elif line.tag == "start_requested/2":
                seat, number, _ = line.fields
                said = codec.pack(("manse start 1", room_id, seat, number))
                line.fields[2] = signing_key(seat).sign(said)

    def sign_shares(self) -> None:
        """Commit to the opened shares again, and sign them with their present fields."""
        room_id, version = self.file.header[1], self.lines[0].fields[5]
        self.file.renumbered().committed_anew()
        # The records of a source are signed for its own log, which is not here.
        [first] = self.places("branched") or [0]
        starts = [n for n in self.places("seeds_committed") if n > first]
        starts.append(len(self.lines))
        for first, last in itertools.pairwise(starts):
            between = self.lines[first:last]
            shares = {line.fields[0]: line for line in between if line.tag == "share_opened/2"}
            bound = {}
            for line in between:
                if line.tag == "share_committed":
                    opened = shares.get(line.fields[0])
                    if opened is not None:
                        seat, share, number, before, _ = opened.fields
                        said = ("manse share 3", room_id, seat, number, before, share)
                        line.fields[1] = _hashed(said)
                    bound[line.fields[0]] = line.fields[1]
            seeds = tuple(commitment for _, commitment in self.lines[first].secrets)
            start = _hashed(
                ("manse kept start 1", room_id, version, seeds, None, tuple(sorted(bound.items())))
            )
            for line in shares.values():
                seat, share, number, before, _ = line.fields
                digest = hashlib.sha256(share).digest()
                opening = ("manse opening 1", room_id, seat, number, before, start, digest)
                signer = PLAYER if self.places("branched") else signing_key(seat)
                line.fields[4] = signer.sign(codec.pack(opening))

    def result(self) -> bytes:
        """Return the forged file, with a commitment to everything that is open."""
        if self.data is not None:
            return self.data
        if self.is_numbered:
            self.file.renumbered()
        return self.file.committed_anew().sealed()


def _hashed(plain: codec.Plain) -> bytes:
    return hashlib.sha256(codec.pack(plain)).digest()


def committed_to(file: File, at: int, slot: int, opening: list[bytes]) -> bytes:
    """Return the commitment to an opening at a place."""
    return commit(file.header[1], at, slot, Opening(*opening))


Forge = Callable[[Forgery], int | None]
"""Forges a file; returns the record to be named, or None for the file itself."""


@attrs.frozen
class Rule:
    """One rule of section 14 and its forger."""

    step: int
    name: str
    """The kind that the rule is about, or `every`, and what is forged."""
    forge: Forge
    pools: tuple[str, ...]
    """Names of the `pools` in which there may be something to forge."""
    is_shape: bool = False
    """True if `types.json` alone shows that the rule is broken."""

    @property
    def kind(self) -> str:
        """The kind of record that the rule is about, without its version."""
        return self.name.split(":")[0].split("/")[0]


RULES: dict[str, Rule] = {}
"""Rules of all games, by name."""


def rule(
    step: int, name: str, *pools: str, is_shape: bool = False, into: dict[str, Rule] = RULES
) -> Callable[[Forge], Forge]:
    """Register the forger of a rule."""

    def declare(forge: Forge) -> Forge:
        assert name not in into, name
        into[name] = Rule(step, name, forge, pools or ("toy",), is_shape)
        return forge

    return declare
