"""
Evolving: the copy of a frozen value with some fields changed, cheaply.

Every fold makes such copies, of tables with two dozen fields. `attrs.evolve` looks each field up by
name and calls `__init__`. Here a function for each class, compiled when first used, copies all
fields into a draft (`protocol.frozen`), changes some, and makes it an instance of the class. Type
checkers see `attrs.evolve` itself.
"""

import typing
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from protocol.frozen import draft_of, is_plain

if typing.TYPE_CHECKING:
    from attrs import evolve as evolve  # noqa: PLC0414 (says that it is exported)
else:

    def evolve(thing__, /, **changes):  # noqa: ANN001, ANN003, ANN201 (type checkers see attrs.evolve)
        """Return a copy of an attrs value with these fields changed. TypeError for no field."""
        return _EVOLVERS[type(thing__)](thing__, changes)


class _Evolvers(dict[type, Callable[[Any, Mapping[str, Any]], Any]]):
    """The function that copies instances of a class, made when it is first asked for."""

    def __missing__(self, kind: type) -> Callable[[Any, Mapping[str, Any]], Any]:
        made = self[kind] = _evolver(kind) if _is_bare(kind) else _by_attrs
        return made


_EVOLVERS = _Evolvers()


def _is_bare(kind: type) -> bool:
    """Return whether whoever has set its fields has made an instance."""
    return is_plain(kind) and not hasattr(kind, "__attrs_post_init__")


def _by_attrs(thing: Any, changes: Mapping[str, Any]) -> Any:
    return attrs.evolve(thing, **changes)


def _evolver(kind: type) -> Any:
    fields = attrs.fields(kind)
    scope = {
        "new": object.__new__,
        "kind": kind,
        "draft": draft_of(kind),
        "put": setattr,
        "names": {field.alias: field.name for field in fields},
    }
    is_same = all(field.alias == field.name for field in fields)
    copies = "".join(f"    made.{field.name} = thing.{field.name}\n" for field in fields)
    source = (
        f"def evolve(thing, changes):\n"
        f"    made = new(draft)\n{copies}"
        f"    for alias, value in changes.items():\n"
        f"        if alias not in names:\n"
        f"            raise TypeError(f'{kind.__name__} has no field {{alias}}')\n"
        f"        {'put(made, alias, value)' if is_same else 'put(made, names[alias], value)'}\n"
        f"    made.__class__ = kind\n"
        f"    return made\n"
    )
    # Made of the names of fields alone; no value ever becomes source.
    exec(compile(source, f"<evolve {kind.__name__}>", "exec"), scope)  # noqa: S102 (above)
    return scope["evolve"]
