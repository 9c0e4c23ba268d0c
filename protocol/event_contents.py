"""What events and cuts hold: their secrets, who should know each, and the strings that show."""

import typing
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, cast

import attrs

from protocol import codec
from protocol.event import EACH, EVERYBODY, NOBODY, TABLE, Cut, Event, Sealed, declared_fields

T = TypeVar("T")


def secrets_of(happened: Event) -> Iterator[Sealed[Any]]:
    """Yield the secrets of an event by slot."""
    for field in declared_fields(type(happened)):
        value = getattr(happened, field.name)
        if field.to == EACH:
            yield from (value[seat] for seat in sorted(value))
        elif field.to is not None:
            yield value


def audiences_of(
    happened: Event,
) -> Iterator[tuple[Sealed[Any], tuple[int, ...] | str | None]]:
    """
    Yield the secrets of an event by slot, each with who should know it by its declaration.

    That is seats, as the event names them; or a character, a role or a side, for the seats that
    know what it knows; or None for every seat.
    """
    for field in declared_fields(type(happened)):
        value = getattr(happened, field.name)
        if field.to == EACH:
            yield from ((value[seat], (seat,)) for seat in sorted(value))
        elif field.to is not None:
            yield value, _declared(happened, field.to)


def _declared(happened: Event, to: str) -> tuple[int, ...] | str | None:
    if to in {NOBODY, TABLE}:
        return () if to == NOBODY else None
    knower = getattr(happened, to)
    return (knower,) if isinstance(knower, int) else typing.cast("tuple[int, ...] | str", knower)


def shown_strings(shown: Cut) -> Iterator[str]:
    """Yield every text string that a viewer of a cut of ours can read, in order of appearance."""
    yield from strings_in(shown.public)
    for _, opening in shown.openings:
        yield from strings_in(opening.value)


def strings_in(packed: bytes) -> list[str]:
    """Return every text string in a packed value of ours, in order of appearance."""
    return plain_strings((codec.unpack_own(packed),))


def plain_strings(plain: tuple[codec.Plain, ...]) -> list[str]:
    """Return every text string in plain values, in order of appearance."""
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


def close_for(thing: T, seat: int | None, *, since: int = 0) -> T:
    """
    Return a folded value as that viewer would have folded it: other people's secrets shut.

    For tests of fold agreement; what is sent is made by `cut` alone.
    """
    return cast("T", _close(thing, seat, since))


def _close(thing: Any, seat: int | None, since: int) -> Any:
    if isinstance(thing, Sealed):
        is_ours = seat is not None and seat in thing.audience and thing.ref[0] >= since
        return thing if is_ours or EVERYBODY in thing.audience else thing.closed()
    if isinstance(thing, tuple):
        return tuple(_close(item, seat, since) for item in thing)
    if isinstance(thing, Mapping):
        return {key: _close(item, seat, since) for key, item in thing.items()}
    if attrs.has(type(thing)):
        return type(thing)(
            **{
                a.alias: _close(getattr(thing, a.name), seat, since)
                for a in attrs.fields(type(thing))
                if a.init
            }
        )
    return thing
