"""Files taken apart into plain values, which can be changed and sealed again."""

import hashlib
import random
from collections.abc import Iterable
from typing import Any

import attrs

from protocol import codec
from protocol.commitments import Opening, commit, first_head, next_head
from protocol.frames import LENGTH_BYTES, encode_frame
from protocol.keys import SigningKey

FORGER = SigningKey.from_seed(b"f" * 32)
"""The key that signs changed files, since a file names its own signer."""
SEAL_LABEL = b"manse archive seal 1"

Plain = Any
"""Lists and scalars that can be changed in place, unlike `codec.Plain`."""


def listed(plain: codec.Plain) -> Plain:
    """Return a plain value with lists for tuples."""
    return [listed(item) for item in plain] if isinstance(plain, tuple) else plain


def tupled(plain: Plain) -> codec.Plain:
    """Return a plain value with tuples for lists."""
    return tuple(tupled(item) for item in plain) if isinstance(plain, list) else plain


@attrs.define
class Line:
    """One record of a file: its six parts and its openings."""

    public: Plain
    openings: Plain
    """`[[slot, [salt, value bytes]], …]`."""

    @property
    def tag(self) -> str:
        """The kind of the record."""
        return str(self.public[3])

    @property
    def secrets(self) -> Plain:
        """The record's secrets, `[audience, commitment]` each; none if changed into no list."""
        parts = self.public
        is_there = isinstance(parts, list) and len(parts) == 6 and isinstance(parts[5], list)
        return parts[5] if is_there else []

    @property
    def fields(self) -> Plain:
        return self.public[4]


@attrs.define
class File:
    """A file that can be changed."""

    header: Plain
    lines: list[Line]
    words: list[bytes] = attrs.field(factory=list)

    def of(self, *tags: str) -> list[int]:
        """Return the places of the records of these kinds, in any version."""
        names = [line.tag.split("/")[0] for line in self.lines]
        return [at for at, name in enumerate(names) if name in tags]

    def renumbered(self) -> "File":
        """Write each record's own place into it."""
        for at, line in enumerate(self.lines):
            line.public[0] = at
        return self

    def committed_anew(self) -> "File":
        """Recompute the commitments, so that every opening fits its record."""
        for line in self.lines:
            for slot, secret in enumerate(line.secrets):
                opened = [opening for at, opening in line.openings if at == slot]
                if opened and isinstance(secret, list) and len(secret) == 2:
                    opening, sequence = Opening(*opened[0]), line.public[0]
                    secret[1] = commit(self.header[1], sequence, slot, opening)
        return self

    def sealed(self, key: SigningKey = FORGER) -> bytes:
        """Return the file with a new chain and signature."""
        header = [*self.header]
        header[6], header[7] = key.public, len(self.lines)
        head = first_head(str(header[1]))
        frames = [codec.pack(tupled(header))]
        for line in self.lines:
            public = codec.pack(tupled(line.public))
            head = next_head(head, public)
            frames.append(codec.pack(tupled([public, line.openings, head])))
        body = b"".join(map(encode_frame, (*frames, *self.words)))
        signed = hashlib.sha256(SEAL_LABEL + body).digest()
        return body + encode_frame(codec.pack(("seal", key.sign(signed))))


def payloads(data: bytes) -> list[bytes]:
    """Return the payloads of a file's frames."""
    found, at = [], 0
    while at < len(data):
        end = at + LENGTH_BYTES + int.from_bytes(data[at : at + LENGTH_BYTES], "big")
        found.append(data[at + LENGTH_BYTES : end])
        at = end
    return found


def taken_apart(data: bytes) -> File:
    """Return a valid file as one that can be changed."""
    first, *others = payloads(data)
    header = listed(codec.unpack(first))
    lines = []
    for payload in others[: header[7]]:
        public, openings, _head = listed(codec.unpack(payload))
        lines.append(Line(listed(codec.unpack(public)), openings))
    return File(header, lines, others[header[7] : -1])


def one_of(rng: random.Random, places: Iterable[int]) -> int:
    """Return a random place. Raises LookupError if there is none."""
    return rng.choice(list(places))
