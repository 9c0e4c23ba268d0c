"""
Mistakes in a pack: each has its place, and says what to do about it.

A pack is written by people, so all mistakes are collected and reported together.
"""

import difflib
from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

import attrs

T = TypeVar("T")

MAX_TOLD = 100
"""Maximum number of mistakes listed in the message of one exception."""


@attrs.frozen
class Place:
    """A position in a pack."""

    file: str
    """The name inside the pack's folder, with forward slashes."""
    line: int = 1
    """The line, from 1."""
    column: int = 1
    """The column, from 1, in characters."""
    key: str = ""
    """Path of keys inside the file, such as `item/lamp.attack.damage`."""


@attrs.frozen(order=True)
class ContentError:
    """One mistake."""

    file: str
    line: int
    column: int
    key: str
    reason: str
    """The problem, and what to do about it."""

    @classmethod
    def at(cls, place: Place, reason: str) -> "ContentError":
        """Return the mistake at a place."""
        return cls(place.file, place.line, place.column, place.key, reason)

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}"
        return f"{where}: {self.key}: {self.reason}" if self.key else f"{where}: {self.reason}"


class ContentErrors(Exception):
    """The mistakes of a pack that cannot be used; `errors` has all, by file and line."""

    def __init__(self, errors: Iterable[ContentError]) -> None:
        # One mistake can be found by two checks, and is told once.
        self.errors = tuple(sorted(set(errors)))
        lines = [str(error) for error in self.errors[:MAX_TOLD]]
        if len(self.errors) > MAX_TOLD:
            lines.append(f"… and {len(self.errors) - MAX_TOLD} more")
        super().__init__("\n".join(lines))


def find_twins(items: Iterable[T]) -> tuple[T, ...]:
    """Return the items that occur more than once, each once, in order."""
    return tuple(item for item, count in Counter(items).items() if count > 1)


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known name closest in spelling to a word, or None."""
    # Comparing is slow: beyond these bounds nobody mistyped.
    names = sorted(known)[:5000]
    close = difflib.get_close_matches(word, names, n=1) if len(word) <= 60 else []
    return close[0] if close else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return advice for an unknown word: the closest known word, or all if they are few."""
    names = sorted(known)
    if (close := closest(word, names)) is not None:
        return f"did you mean {close!r}?"
    if not names:
        return "there is none"
    # A pack can have hundreds of ids of one kind; a message lists a dozen.
    shown = ", ".join(names[:12])
    return f"known: {shown}, …" if len(names) > 12 else f"known: {shown}"
