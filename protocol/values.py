"""
Values: frozen classes that are made and copied per event.

Folding one event makes and copies dozens of values, and a table has two dozen fields. Plain attrs
would add a fifth to the rules' time: the `__init__` of `attrs.frozen` sets every field by a call
past its own class, and `attrs.evolve` looks every field up by name. Here type checkers see attrs'
names and refuse every assignment. At run time the classes have slots and would accept an
assignment, and a copy passes all fields by position.

All of `protocol`, `server/kernel` and `server/games` uses `frozen` and `evolve` from here. The
other packages, which make nothing per event, use attrs.
"""

import functools
import operator
import typing
from collections.abc import Callable, Mapping
from typing import Any

import attrs

if typing.TYPE_CHECKING:
    from attrs import evolve as evolve  # noqa: PLC0414 (says that it is exported)
    from attrs import frozen as frozen  # noqa: PLC0414
else:
    # NO_OP: a hook for assignments would be called for each field that `__init__` sets.
    frozen = functools.partial(attrs.define, unsafe_hash=True, on_setattr=attrs.setters.NO_OP)

    def evolve(thing__, /, **changes):  # noqa: ANN001, ANN003, ANN201 (type checkers see attrs.evolve)
        """Return a copy of a value with these fields changed. TypeError for an unknown field."""
        kind = type(thing__)
        values_of, places = _layout(kind)
        values = [*values_of(thing__)]
        try:
            for alias, value in changes.items():
                values[places[alias]] = value
        except KeyError:
            raise TypeError(f"{kind.__name__} has no field {alias!r}") from None
        return kind(*values)


@functools.cache
def _layout(kind: type) -> tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int]]:
    """Return a getter of all fields of a value, and their positions by alias."""
    fields = attrs.fields(kind)
    if any(field.kw_only or not field.init for field in fields):
        raise TypeError(f"{kind.__name__} has fields that cannot be passed by position")
    names = [field.name for field in fields]
    # For a single name attrgetter would return the bare value.
    values_of = operator.attrgetter(*names) if len(names) > 1 else _by_name(names)
    return values_of, {field.alias: place for place, field in enumerate(fields)}


def _by_name(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    return lambda thing: tuple([getattr(thing, name) for name in names])
