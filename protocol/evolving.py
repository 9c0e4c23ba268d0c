"""
Evolving: the copy of a frozen value with some fields changed, cheaply.

Every fold makes such copies, of tables with two dozen fields. `attrs.evolve` looks each field up by
name and calls `__init__`; here a function for each class, compiled when first used, fills the slots
of a new instance one after another. Type checkers see `attrs.evolve` itself.
"""

import typing
from typing import Any

import attrs

if typing.TYPE_CHECKING:
    from attrs import evolve as evolve  # noqa: PLC0414 (says that it is exported)
else:

    def evolve(thing__, /, **changes):  # noqa: ANN001, ANN003, ANN201 (type checkers see attrs.evolve)
        """Return a copy of an attrs value with these fields changed. TypeError for no field."""
        kind = type(thing__)
        if kind not in _EVOLVERS:
            _EVOLVERS[kind] = _evolver(kind) if _is_plain(kind) else attrs.evolve
        return _EVOLVERS[kind](thing__, **changes)


_EVOLVERS: dict[type, Any] = {}


class _Same:
    """Stands for the value that a field had."""


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
    # No field ends in two underscores, so that none has the name of anything else.
    scope: dict[str, Any] = {"new__": object.__new__, "kind__": kind, "same__": _Same}
    parameters, lines = [], []
    for field in attrs.fields(kind):
        scope[f"set_{field.name}__"] = getattr(kind, field.name).__set__
        parameters.append(f"{field.alias}=same__")
        value = f"thing__.{field.name} if {field.alias} is same__ else {field.alias}"
        lines.append(f"    set_{field.name}__(made__, {value})\n")
    source = (
        f"def evolve(thing__, /, *, {', '.join(parameters)}):\n"
        f"    made__ = new__(kind__)\n{''.join(lines)}    return made__\n"
    )
    # Made of the names of fields alone; no value ever becomes source.
    exec(compile(source, f"<evolve {kind.__name__}>", "exec"), scope)  # noqa: S102 (above)
    return scope["evolve"]
