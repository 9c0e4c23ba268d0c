"""The plain form of typed values, in the simplest code; generated code must agree with it."""

import enum
import types
import typing
from collections.abc import Mapping
from typing import Any

import attrs
import msgpack

from protocol.codec import Plain


def slow_form(value: Any, of: Any) -> Plain:
    """Return the plain form of a value of a type."""
    origin, arguments = typing.get_origin(of), typing.get_args(of)
    if isinstance(of, typing.NewType):
        return slow_form(value, of.__supertype__)
    if origin in (typing.Union, types.UnionType):
        return slow_form(value, next(one for one in arguments if _is_of(value, one)))
    if origin is tuple and arguments[1:] == (...,):
        return tuple(slow_form(item, arguments[0]) for item in value)
    if origin is tuple:
        return tuple(slow_form(item, one) for item, one in zip(value, arguments, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        pairs = [(slow_form(k, arguments[0]), slow_form(v, arguments[1])) for k, v in value.items()]
        return tuple(sorted(pairs, key=lambda pair: msgpack.packb(pair[0])))
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return typing.cast("Plain", value.value)
    if attrs.has(of):
        hints = typing.get_type_hints(of)
        names = [field.name for field in attrs.fields(of) if field.init]
        return tuple(slow_form(getattr(value, name), hints[name]) for name in names)
    return typing.cast("Plain", value)


def _is_of(value: Any, of: Any) -> bool:
    """True if a value belongs to a member of a union."""
    if of is types.NoneType:
        return value is None
    if isinstance(of, typing.NewType):
        return _is_of(value, of.__supertype__)
    return type(value) is (typing.get_origin(of) or of)
