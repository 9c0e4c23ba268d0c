"""
Evolving: the copy of a frozen value with some fields changed, cheaply.

Every fold makes such copies, of tables with two dozen fields. `attrs.evolve` looks each field up by
name and calls `__init__`, which sets one field after another past the frozen class. Here a function
for each class, compiled when first used, copies all fields into a draft: an instance of a subclass
that is the same but not frozen, so that CPython stores into its slots directly. When all is set the
draft becomes an instance of the class. Type checkers see `attrs.evolve` itself.
"""

import typing
from collections.abc import Callable, Mapping
from typing import Any

import attrs

if typing.TYPE_CHECKING:
    from attrs import evolve as evolve  # noqa: PLC0414 (says that it is exported)
else:

    def evolve(thing__, /, **changes):  # noqa: ANN001, ANN003, ANN201 (type checkers see attrs.evolve)
        """Return a copy of an attrs value with these fields changed. TypeError for no field."""
        kind = type(thing__)
        if kind not in _EVOLVERS:
            _EVOLVERS[kind] = _evolver(kind) if _is_plain(kind) else _by_attrs
        return _EVOLVERS[kind](thing__, changes)


_EVOLVERS: dict[type, Callable[[Any, Mapping[str, Any]], Any]] = {}


def _by_attrs(thing: Any, changes: Mapping[str, Any]) -> Any:
    return attrs.evolve(thing, **changes)


def _is_plain(kind: type) -> bool:
    """Return whether a class is nothing but its slots: no value is checked or changed in it."""
    return (
        not hasattr(kind, "__attrs_post_init__")
        and not hasattr(kind, "__attrs_pre_init__")
        and not kind.__dictoffset__
        and len(attrs.fields(kind)) > 0
        and all(f.init and not f.converter and not f.validator for f in attrs.fields(kind))
    )


def _evolver(kind: type) -> Any:
    fields = attrs.fields(kind)  # type: ignore[arg-type]  # whoever evolves has an attrs value
    scope = {
        "new": object.__new__,
        "kind": kind,
        "draft": _draft_of(kind),
        "names": {field.alias: field.name for field in fields},
    }
    copies = "".join(f"    made.{field.name} = thing.{field.name}\n" for field in fields)
    source = (
        f"def evolve(thing, changes):\n"
        f"    made = new(draft)\n{copies}"
        f"    for alias, value in changes.items():\n"
        f"        if alias not in names:\n"
        f"            raise TypeError(f'{kind.__name__} has no field {{alias}}')\n"
        f"        setattr(made, names[alias], value)\n"
        f"    made.__class__ = kind\n"
        f"    return made\n"
    )
    # Made of the names of fields alone; no value ever becomes source.
    exec(compile(source, f"<evolve {kind.__name__}>", "exec"), scope)  # noqa: S102 (above)
    return scope["evolve"]


def _draft_of(kind: type) -> type:
    """Return a subclass of the same slots whose instances can be changed."""
    # Of both, or the class would set its attributes by a call in Python.
    thawed = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(kind.__name__, (kind,), {"__slots__": (), **thawed})
