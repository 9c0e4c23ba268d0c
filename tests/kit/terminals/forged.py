"""Forged messages and records: well typed but meaningless values.

Texts contain what no terminal should see, numbers are absurd, and ids are of a wrong kind.
"""

import enum
import functools
import types
import typing
from collections.abc import Mapping
from random import Random
from typing import Any

import attrs

from protocol import codec
from protocol.commitments import Opening, commit
from protocol.common.padded import MAX_CONTENT, Padded
from protocol.encoding import forms
from protocol.event import EACH, Cut, declared_fields, kinds

HOSTILE = (
    "\x1b]0;owned\x07\x1b[2J",
    "\x1b]52;c;b3duZWQ=\x1b\\",
    "a\u202egnp.exe",
    "z" + "\u0301" * 30,
    "\u4f60\u597d\u4e16\u754c" * 5,
    "\U0001f47b\ufe0f\u200d\U0001f480",
    "\u0007\b\b\b\r\n\x9b31m",
    "\u1100\u1161\u11a8\u0e33\u200b\u2028\u00ad",
    "{0}{1}{9|a|b}{{}}{",
    "",
    "long " * 1500,
)
NUMBERS = (0, 1, -1, 2, 7, 64, 2**31, 2**53, -(2**53))
_fields_of = functools.cache(forms.fields_of)
MANY = 3000
"""Length of a tuple that is much longer than any rule would make it."""


@attrs.frozen
class Forger:
    """Makes values of a type."""

    chance: Random
    pieces: tuple[str, ...]
    """Names with a meaning at some table, though perhaps not at the table under test."""

    def text(self) -> str:
        """Return a hostile text, or a known name."""
        return self.chance.choice(self.pieces if self.chance.random() < 0.7 else HOSTILE)

    def make(self, of: Any, depth: int = 0) -> Any:
        """Return a random value of a type, as `protocol.codec` knows types."""
        origin, arguments = typing.get_origin(of), typing.get_args(of)
        if origin in (typing.Union, types.UnionType):
            fitting = [one for one in arguments if depth < 4 or not attrs.has(one)]
            return self.make(self.chance.choice(fitting), depth + 1)
        if origin is tuple and arguments[-1:] == (...,):
            most = MANY if depth == 0 and self.chance.random() < 0.05 else 3
            count = most if most == MANY else self.chance.randint(0, most if depth < 4 else 0)
            return tuple(self.make(arguments[0], depth + 1) for _ in range(count))
        if origin is tuple:
            return tuple(self.make(one, depth + 1) for one in arguments)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            keys = [self.make(arguments[0], depth + 1) for _ in range(self.chance.randint(0, 3))]
            return {key: self.make(arguments[1], depth + 1) for key in keys}
        return self._one(of, depth)

    def _one(self, of: Any, depth: int) -> Any:
        if isinstance(of, typing.NewType):
            return self.make(of.__supertype__, depth)
        if of is str:
            return self.text()
        if of is bool:
            return self.chance.random() < 0.5
        if of is int:
            return self.chance.choice(NUMBERS)
        if of is bytes:
            return self.chance.choice((b"", b"x" * 32, self.text().encode()))
        if of is None or of is type(None):
            return None
        if isinstance(of, type) and issubclass(of, enum.Enum):
            return self.chance.choice(tuple(of))
        if of is Padded:
            return Padded.of(self.text().encode()[:MAX_CONTENT])
        return of(*(self.make(hint, depth + 1) for _, hint in _fields_of(of)))

    def cut(self, tag: str, room_id: str, sequence: int) -> Cut:
        """Return a record of a kind of event with random fields and all secrets open."""
        public: list[codec.Plain] = []
        secrets: list[tuple[tuple[int, ...], bytes]] = []
        openings: list[tuple[int, Opening]] = []

        def add(audience: tuple[int, ...], hint: Any) -> None:
            slot = len(secrets)
            opening = Opening(bytes(32), codec.encode(self.make(hint), hint))
            secrets.append((audience, commit(room_id, sequence, slot, opening)))
            openings.append((slot, opening))

        for field in declared_fields(kinds()[tag]):
            if field.to is None:
                public.append(codec.to_plain(self.make(field.hint), field.hint))
            elif field.to == EACH:
                public.append((0, 1))
                add((0,), field.hint)
                add((1,), field.hint)
            else:
                add((0, 1), field.hint)
        time, origin = self.chance.choice(NUMBERS), self.chance.choice((-2, -1, 0, 1, 99))
        form = (sequence, time, origin, tag, tuple(public), tuple(secrets))
        return Cut(codec.pack(form), tuple(openings))


def names_in(value: Any) -> set[str]:
    """Return every text within a value, so that forged values can refer to them."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, Mapping):
        return names_in((*value.keys(), *value.values()))
    if isinstance(value, tuple | list):
        return {name for one in value for name in names_in(one)}
    if attrs.has(type(value)) and not isinstance(value, type):
        return names_in(attrs.astuple(value, recurse=False))
    return set()
