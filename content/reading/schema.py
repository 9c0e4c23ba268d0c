"""The description of a game's classes, for the reader of packs."""

import enum
import types
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs

from content.reading.meanings import Bounds, Marks, find
from content.reading.names import Kinds
from content.reading.sheet import Complaint, Sheet
from content.reading.yaml_subset import Node

Check = Callable[[Any, Complaint], None]
"""Function that reports the mistakes in an object that has been read."""
Read = Callable[[Node, Sheet], Any]
"""
Function that returns the value of a node; or `content.reading.typed.BROKEN`, after noting the
mistake.
"""


class MakesReaders(Protocol):
    """The part of `content.reading.typed.Readers` that a game's own readers use."""

    @property
    def schema(self) -> "Schema":
        """The schema whose readers are made."""

    def of_family(self, family: type) -> Read:
        """Return the reader of a family of parts."""

    def of_object(self, cls: type, given: Mapping[str, Any]) -> Read:
        """Return the reader of a class, except its `given` fields, which the file implies."""


_NONE: Mapping[Any, Any] = types.MappingProxyType({})


@attrs.frozen(eq=False)
class Schema:
    """Facts about a schema beyond its classes and the marks at their fields."""

    kinds: Kinds
    within: Mapping[enum.Enum, tuple[enum.Enum, ...]] = _NONE
    """Further kinds whose declarations may be incomplete, by the kind of a declaration that cannot
    be read."""
    checks: Mapping[type, Check] = _NONE
    default_bounds: tuple[int, int] = (0, 99)
    """The bounds of whole numbers without bounds of their own."""
    called: Mapping[type, str] = _NONE
    """The name of a family in messages, if it differs from the name of its class."""
    own: Mapping[tuple[type, ...], Callable[[MakesReaders, Marks], Read]] = _NONE
    """Functions that make a game's own readers, by the members of the union that they read."""

    def bounds_of(self, marks: Marks) -> tuple[int, int]:
        """Return the bounds of the whole numbers in a field with these marks."""
        bounds = find(Bounds, marks)
        return self.default_bounds if bounds is None else (bounds.least, bounds.most)
