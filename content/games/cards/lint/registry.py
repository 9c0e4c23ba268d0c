"""Registry of the linter's checks, and what several of them ask of a pack."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from content.games.cards.schema.cards import Ability
from content.games.cards.schema.pack import AnyFace, Pack
from content.language.findings import Finding
from content.language.walk import parts_in

Check = Callable[[Pack], Iterator[Finding]]
T = TypeVar("T")

_FINDINGS: list[Check] = []
_NOTES: list[Check] = []


def finds(check: Check) -> Check:
    """Register a check whose findings the author should look at."""
    _FINDINGS.append(check)
    return check


def notices(check: Check) -> Check:
    """Register a check whose notes only say what a pack is like."""
    _NOTES.append(check)
    return check


def findings(pack: Pack) -> list[Finding]:
    """Return the findings on a pack, each once."""
    return list(dict.fromkeys(found for check in _FINDINGS for found in check(pack)))


def notes(pack: Pack) -> list[Finding]:
    """Return the notes on a pack, each once."""
    return list(dict.fromkeys(found for check in _NOTES for found in check(pack)))


def abilities(pack: Pack) -> Iterator[tuple[AnyFace, Ability]]:
    """Yield every ability of a pack with its card."""
    for face in pack.all_faces():
        for ability in face.abilities:
            yield face, ability


def every(kind: type[T], value: Any) -> Iterator[T]:
    """Yield the parts of a class in a value."""
    return (part for part in parts_in(value) if isinstance(part, kind))
