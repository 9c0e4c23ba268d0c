"""Contents of events and cuts: their secrets with the audience of each, and their strings."""

import typing
from collections.abc import Iterator
from typing import Any, cast

from protocol import codec
from protocol.common.text import subject_of
from protocol.event import EACH, NOBODY, TABLE, Cut, Event, Sealed, declared_fields


def secrets_of(event: Event) -> Iterator[Sealed[Any]]:
    """Yield the secrets of an event in the order of their slots."""
    for field in declared_fields(type(event)):
        value = getattr(event, field.name)
        if field.to == EACH:
            yield from (value[seat] for seat in sorted(value))
        elif field.to is not None:
            yield value


def audiences_of(
    event: Event,
) -> Iterator[tuple[Sealed[Any], tuple[int, ...] | str | None]]:
    """
    Yield the secrets of an event in the order of their slots, each with its declared knowers.

    Knowers are seats that the event names; or a character, a role or a side, whose seats the table
    knows; or None for all seats.
    """
    for field in declared_fields(type(event)):
        value = getattr(event, field.name)
        if field.to == EACH:
            yield from ((value[seat], (seat,)) for seat in sorted(value))
        elif field.to is not None:
            yield value, _declared(event, field.to)


def _declared(event: Event, to: str) -> tuple[int, ...] | str | None:
    if to in {NOBODY, TABLE}:
        return () if to == NOBODY else None
    knower = getattr(event, to)
    return (knower,) if isinstance(knower, int) else typing.cast("tuple[int, ...] | str", knower)


def shown_strings(shown: Cut) -> Iterator[str]:
    """Yield all text strings that a viewer can read in one of our cuts, in order of appearance."""
    yield from strings_in(shown.public)
    for _, opening in shown.openings:
        yield from strings_in(opening.value)


def strings_in(packed: bytes) -> list[str]:
    """Return all text strings in a value that we packed, in order of appearance."""
    return plain_strings((codec.unpack_own(packed),))


def plain_strings(plain: tuple[codec.Plain, ...]) -> list[str]:
    """Return all text strings in plain values, in order of appearance."""
    found: list[str] = []
    _collect_strings(plain, found)
    return found


def _collect_strings(plain: tuple[codec.Plain, ...], found: list[str]) -> None:
    for item in plain:
        kind = type(item)
        if kind is str:
            found.append(cast("str", item))
        elif kind is tuple:
            _collect_strings(cast("tuple[codec.Plain, ...]", item), found)


def subjects_of_plain(plain: tuple[codec.Plain, ...]) -> dict[str, None]:
    """Return the strings in plain values that may be subjects, in order, each once."""
    found: dict[str, None] = {}
    _collect_subjects(plain, found)
    return found


def _collect_subjects(plain: tuple[Any, ...], found: dict[str, None]) -> None:
    for item in plain:
        kind = type(item)
        if kind is str:
            subject = subject_of(item)
            if subject is not None:
                found[subject] = None
        elif kind is tuple and item:
            _collect_subjects(item, found)
