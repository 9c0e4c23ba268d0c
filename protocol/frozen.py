"""
Frozen classes whose instances are made quickly.

A frozen class of attrs refuses to have its attributes set, so that its `__init__` sets one after
another by a call past the class. Here `__init__` works on a draft: it makes the new instance one of
a subclass that is the same but not frozen, into whose slots CPython stores directly, and then one
of its own class again. Type checkers see `attrs.frozen` itself.
"""

import functools
import typing
from collections.abc import Callable
from typing import Any

import attrs

if typing.TYPE_CHECKING:
    from attrs import frozen as frozen  # noqa: PLC0414 (says that it is exported)
else:

    def frozen(*args, **options):  # noqa: ANN002, ANN003, ANN201 (type checkers see attrs.frozen)
        """Declare a class as `attrs.frozen` does."""
        if not args:
            return functools.partial(frozen, **options)
        return made_quickly(attrs.frozen(*args, **options))


def made_quickly(kind: type) -> type:
    """Have the instances of a frozen class made by way of a draft, if all its fields are plain."""
    if not is_plain(kind):
        return kind
    by_attrs: Callable[..., None] = kind.__init__  # type: ignore[misc]  # attrs made it

    @functools.wraps(by_attrs)
    def first(self: Any, *args: Any, **fields: Any) -> None:
        # Compiled when there is a use for it: that takes longer than making an instance.
        by_attrs(self, *args, **fields)
        kind.__init__ = functools.wraps(by_attrs)(_maker(kind, by_attrs))  # type: ignore[misc]  # as above

    kind.__init__ = first  # type: ignore[misc]  # as above
    return kind


def is_plain(kind: type) -> bool:
    """Return whether a class is nothing but its slots: no value is checked or changed in it."""
    fields: tuple[Any, ...] = attrs.fields(kind)
    return (
        not hasattr(kind, "__attrs_pre_init__")
        and not kind.__dictoffset__
        and len(fields) > 0
        and all(f.init and not (f.converter or f.validator or f.kw_only) for f in fields)
        and not any(isinstance(f.default, _FACTORY) and f.default.takes_self for f in fields)
    )


_FACTORY: Any = attrs.Factory


def draft_of(kind: type) -> type:
    """Return a subclass of the same slots whose instances can be changed."""
    # Both, or the class would set its attributes by a call in Python.
    thawed = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(kind.__name__, (kind,), {"__slots__": (), **thawed})


def _maker(kind: type, by_attrs: Callable[..., None]) -> Callable[..., None]:
    """Return the `__init__` of a class; that of attrs serves its subclasses."""
    # No field begins with two underscores, so that none has the name of anything else.
    scope: dict[str, Any] = {
        "__kind": kind,
        "__draft": draft_of(kind),
        "__become": object.__dict__["__class__"].__set__,
        "__by_attrs": by_attrs,
        "__nothing": attrs.NOTHING,
    }
    fields: tuple[Any, ...] = attrs.fields(kind)
    values = [_argument(field, scope) for field in fields]
    lines = [
        f"def __init__(self, {', '.join(map(_parameter, fields))}):",
        " if type(self) is not __kind:",
        f"  return __by_attrs(self, {', '.join(field.alias for field in fields)})",
        " __become(self, __draft)",
        *(f" self.{field.name} = {value}" for field, value in zip(fields, values, strict=True)),
        " self.__class__ = __kind",
        " self.__attrs_post_init__()" if hasattr(kind, "__attrs_post_init__") else "",
    ]
    # Made of the names of fields alone; no value ever becomes source.
    exec(compile("\n".join(lines), f"<made {kind.__name__}>", "exec"), scope)  # noqa: S102 (above)
    return scope["__init__"]  # type: ignore[no-any-return]  # compiled just now


def _parameter(field: Any) -> str:
    """Return the source of a parameter."""
    if field.default is attrs.NOTHING:
        return str(field.alias)
    default = "__nothing" if isinstance(field.default, _FACTORY) else f"__default_{field.alias}"
    return f"{field.alias}={default}"


def _argument(field: Any, scope: dict[str, Any]) -> str:
    """Return the source of the value of a field, and put its default where that can name it."""
    name, default = field.alias, f"__default_{field.alias}"
    if not isinstance(field.default, _FACTORY):
        scope[default] = field.default
        return str(name)
    scope[default] = field.default.factory
    return f"{default}() if {name} is __nothing else {name}"
