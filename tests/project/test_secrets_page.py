"""docs/secrets.md has a row for every field of every kind of record, and says what is sealed."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

import protocol.common.events
import protocol.games.second_edition.events
from protocol.event import Event, kinds

PAGE: Final = Path(__file__).parents[2] / "docs" / "secrets.md"
PACKAGES: Final = (protocol.common.events.__name__, protocol.games.second_edition.events.__name__)
ROW: Final = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$")


def rows(text: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield the rows of the tables: the kind, the fields, and who may know them."""
    for line in text.splitlines():
        row = ROW.match(line)
        if row is not None:
            yield row[1], tuple(re.findall(r"`([^`]+)`", row[2])), row[4]


def declared() -> dict[str, type[Event]]:
    """Return the kinds of a game of the second edition, by tag."""
    return {tag: kind for tag, kind in kinds().items() if kind.__module__.startswith(PACKAGES)}


def fields_of(kind: type[Event]) -> tuple["attrs.Attribute[Any]", ...]:
    found: tuple[attrs.Attribute[Any], ...] = attrs.fields(kind)  # type: ignore[arg-type]  # is attrs
    return found


def faults(text: str) -> Iterator[str]:
    """Yield the mistakes of the tables: missing rows, rows for nothing, secrets shown as open."""
    told = Counter((tag, field) for tag, fields, _ in rows(text) for field in fields or ("",))
    there = Counter(
        (tag, field)
        for tag, kind in declared().items()
        for field in [a.name for a in fields_of(kind)] or [""]
    )
    yield from (f"{tag} {field} is missing" for tag, field in there - told)
    yield from (f"{tag} {field} is no field, or told twice" for tag, field in told - there)
    for tag, fields, knowers in rows(text):
        kind = declared().get(tag)
        sealed = {a.name for a in fields_of(kind) if "to" in a.metadata} if kind else set()
        for field in fields if kind else ():
            if (field in sealed) is not knowers.startswith("sealed to "):
                yield f"{tag} {field} is {'' if field in sealed else 'not '}sealed"


def test_every_field_of_every_kind_has_a_row() -> None:
    assert list(faults(PAGE.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("| `se/told` | `text`, `monster` |", "| `se/told` | `text` |", "se/told monster is miss"),
        ("| `rested` | none |", "| `resting` | none |", "rested  is missing"),
        ("| sealed to the owner | nothing |", "| all | nothing |", "se/told_privately text is sea"),
    ],
)
def test_what_is_missing_or_false_is_found(old: str, new: str, fault: str) -> None:
    text = PAGE.read_text("utf-8")
    assert old in text

    assert any(found.startswith(fault) for found in faults(text.replace(old, new, 1)))
