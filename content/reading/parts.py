"""
The registry of parts: the class for each key in YAML.

An effect step or a requirement is a mapping with one key. The key determines the class; the value
holds the fields of that class (or, for `inline`, is the one field itself). A family may
have parts that are written as text, without a key.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, dataclass_transform

import attrs

C = TypeVar("C", bound=type)


@attrs.frozen
class Part:
    """A class of a family, with the YAML key under which it is written."""

    key: str
    made: type
    inline: str | None
    """The field that is written directly under the key; None if all fields are keys."""


_PARTS: dict[type, dict[str, Part]] = {}
_IN_TEXT: dict[type, list[type]] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def part(family: type, key: str, *, inline: str | None = None) -> Callable[[C], C]:
    """Return a decorator that registers a class as the part of `family` with this YAML key."""

    def declare(cls: C) -> C:
        made = attrs.frozen(cls)
        parts = _PARTS.setdefault(family, {})
        # Two classes under one key would make the loader depend on the order of imports.
        if key in parts:
            raise ValueError(f"{family.__name__} has two parts with the key {key!r}")
        parts[key] = Part(key, made, inline)
        return made

    return declare


def parts_of(family: Any) -> Mapping[str, Part]:
    """Return the parts of a family by key; empty for a class that is not a family."""
    return dict(_PARTS.get(family, {}))


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def part_in_text(family: type) -> Callable[[C], C]:
    """Return a decorator that registers a class as a part of `family` written as text alone."""

    def declare(cls: C) -> C:
        made = attrs.frozen(cls)
        _IN_TEXT.setdefault(family, []).append(made)
        return made

    return declare


def kinds_of(family: Any) -> tuple[type, ...]:
    """Return the classes of a family, both with a key and written as text."""
    keyed = (part.made for part in _PARTS.get(family, {}).values())
    return (*keyed, *_IN_TEXT.get(family, ()))
