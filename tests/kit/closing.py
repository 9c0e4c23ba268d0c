"""Seals a folded value as for another viewer, to test that folds agree."""

import functools
from collections.abc import Mapping
from typing import Any, TypeVar, cast

import attrs

from protocol.event import EVERYBODY, Sealed

T = TypeVar("T")


def close_for(thing: T, seat: int | None, *, since: int = 0) -> T:
    """Return a folded value in which the secrets are sealed that a viewer may not know."""
    return cast("T", _Closing(seat, since).closed(thing))


@attrs.define
class _Closing:
    """Seals secrets in values that share many objects, each object once."""

    _seat: int | None
    _since: int
    _closed: dict[int, tuple[Any, Any]] = attrs.field(factory=dict, init=False)
    """Objects and their results by identity; keeping the object keeps its id from being reused."""

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
    """Return name and alias of each field that `__init__` sets; None if it is no attrs class."""
    if not attrs.has(kind):
        return None
    return tuple((field.name, field.alias) for field in attrs.fields(kind) if field.init)
