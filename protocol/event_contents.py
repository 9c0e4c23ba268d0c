"""What events and cuts hold: their secrets, who should know each, and the strings that show."""

import functools
import typing
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, cast

import attrs

from protocol import codec
from protocol.common.text import subject_of
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


def subjects_of_plain(plain: tuple[codec.Plain, ...]) -> dict[str, None]:
    """Return the subjects that strings in plain values may be, in their order, each once."""
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


def close_for(thing: T, seat: int | None, *, since: int = 0) -> T:
    """
    Return a folded value as that viewer would have folded it: other people's secrets shut.

    For tests of fold agreement; what is sent is made by `cut` alone.
    """
    return cast("T", _Closing(seat, since).closed(thing))


@attrs.define
class _Closing:
    """Shuts secrets in values of which many parts are the same objects, each of them once."""

    _seat: int | None
    _since: int
    _closed: dict[int, tuple[Any, Any]] = attrs.field(factory=dict, init=False)
    """What was shut, by identity; kept beside its result, so that no other has its identity."""

    def closed(self, thing: Any) -> Any:
        """Return a value without the secrets of others."""
        if isinstance(thing, Sealed):
            is_ours = self._seat in thing.audience and thing.ref[0] >= self._since
            return thing if is_ours or EVERYBODY in thing.audience else thing.closed()
        kind: type = type(thing)
        fields = _fields_of(kind)
        if fields is None and not isinstance(thing, (tuple, Mapping)):
            return thing
        if id(thing) not in self._closed:
            self._closed[id(thing)] = (thing, self._rebuilt(thing, fields))
        return self._closed[id(thing)][1]

    def _rebuilt(self, thing: Any, fields: tuple[tuple[str, str], ...] | None) -> Any:
        if fields is not None:
            parts = {alias: self.closed(getattr(thing, name)) for name, alias in fields}
            return type(thing)(**parts)
        if isinstance(thing, tuple):
            return tuple(map(self.closed, thing))
        return {key: self.closed(item) for key, item in thing.items()}


@functools.cache
def _fields_of(kind: type) -> tuple[tuple[str, str], ...] | None:
    """Return name and alias of each field that an attrs class is made of; None of other classes."""
    if not attrs.has(kind):
        return None
    return tuple((field.name, field.alias) for field in attrs.fields(kind) if field.init)
