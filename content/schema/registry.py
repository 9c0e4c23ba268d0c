"""
The registry of parts: which key in YAML stands for which class.

An effect step or a requirement is a mapping with one key; the key says which class it is, and what
stands under it are the fields of that class (or, for `inline`, the one field itself).
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, dataclass_transform

import attrs

C = TypeVar("C", bound=type)


@attrs.frozen
class Part:
    """One kind of part."""

    key: str
    made: type
    inline: str | None
    """The field that is written directly under the key, if any."""


_PARTS: dict[type, dict[str, Part]] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def part(family: type, key: str, *, inline: str | None = None) -> Callable[[C], C]:
    """Declare a class as the part of a family that is written under this key."""

    def declare(cls: C) -> C:
        made = attrs.frozen(cls)
        parts = _PARTS.setdefault(family, {})
        if key in parts:
            raise ValueError(f"{family.__name__} has two parts with the key {key!r}")
        parts[key] = Part(key, made, inline)
        return made

    return declare


def parts_of(family: Any) -> Mapping[str, Part]:
    """Return the parts of a family by key; empty for what is no family."""
    return dict(_PARTS.get(family, {}))
