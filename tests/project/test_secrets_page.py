"""
The pages of secrets have a row for every field of every kind of record, and say what is sealed.

`docs/secrets.md` has the kinds of every room and of the second edition; each other game has a page
of its own.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

import protocol.common.events
from protocol.event import Event, kinds
from protocol.plugs import PLACES, plug

DOCS: Final = Path(__file__).parents[2] / "docs"
COMMON: Final = protocol.common.events.__name__
PAGES: Final[Mapping[str, str]] = {
    "second_edition": "secrets.md",
    "first_edition": "first-edition/secrets.md",
    "cards": "cards/secrets.md",
}
"""The page of each bundled game, under `docs/`. The first one has the kinds of every room, too."""
ROW: Final = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$")


def rows(text: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield the rows of the tables: the kind, the fields, and who may know them."""
    for line in text.splitlines():
        row = ROW.match(line)
        if row is not None:
            yield row[1], tuple(re.findall(r"`([^`]+)`", row[2])), row[4]


def declared(game: str) -> dict[str, type[Event]]:
    """Return the kinds that the page of a game has, by tag."""
    packages = [plug("protocol", game, "events").__name__]
    if game == next(iter(PAGES)):
        packages.append(COMMON)
    return {t: kind for t, kind in kinds().items() if kind.__module__.startswith(tuple(packages))}


def fields_of(kind: type[Event]) -> tuple["attrs.Attribute[Any]", ...]:
    found: tuple[attrs.Attribute[Any], ...] = attrs.fields(kind)  # type: ignore[arg-type]  # is attrs
    return found


def faults(game: str, text: str) -> Iterator[str]:
    """Yield the mistakes of the tables: missing rows, rows for nothing, secrets shown as open."""
    known = declared(game)
    told = Counter((tag, field) for tag, fields, _ in rows(text) for field in fields or ("",))
    there = Counter(
        (tag, field)
        for tag, kind in known.items()
        for field in [a.name for a in fields_of(kind)] or [""]
    )
    yield from (f"{tag} {field} is missing" for tag, field in there - told)
    yield from (f"{tag} {field} is no field, or told twice" for tag, field in told - there)
    for tag, fields, knowers in rows(text):
        kind = known.get(tag)
        sealed = {a.name for a in fields_of(kind) if "to" in a.metadata} if kind else set()
        for field in fields if kind else ():
            if (field in sealed) is not knowers.startswith("sealed to "):
                yield f"{tag} {field} is {'' if field in sealed else 'not '}sealed"


def test_every_bundled_game_has_a_page() -> None:
    bundled = [game for game, place in PLACES.items() if place.package.startswith("{layer}.games.")]
    assert sorted(PAGES) == sorted(bundled)


@pytest.mark.parametrize("game", PAGES)
def test_every_field_of_every_kind_has_a_row(game: str) -> None:
    assert declared(game)
    assert list(faults(game, (DOCS / PAGES[game]).read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("game", "old", "new", "fault"),
    [
        (
            "second_edition",
            "| `se/told` | `text`, `monster` |",
            "| `se/told` | `text` |",
            "se/told monster is miss",
        ),
        ("second_edition", "| `rested` | none |", "| `resting` | none |", "rested  is missing"),
        (
            "second_edition",
            "| sealed to the owner | nothing |",
            "| all | nothing |",
            "se/told_privately text is sea",
        ),
        (
            "first_edition",
            "| sealed to the keeper and that investigator |",
            "| all |",
            "fe/mythos_laid_down card is sealed",
        ),
    ],
)
def test_what_is_missing_or_false_is_found(game: str, old: str, new: str, fault: str) -> None:
    text = (DOCS / PAGES[game]).read_text("utf-8")
    assert old in text

    assert any(found.startswith(fault) for found in faults(game, text.replace(old, new, 1)))
