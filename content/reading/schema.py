"""What a game tells the reader of the classes that its packs are read into."""

import enum
import types
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs

from content.reading.names import Kinds
from content.reading.sheet import Complaint, Sheet
from content.reading.yaml_subset import Node

Way = tuple[type, str]
"""A class and the name of one of its fields."""
Check = Callable[[Any, Complaint], None]
"""Tells what is wrong with an object that has been read."""
Read = Callable[[Node, Sheet], Any]
"""Returns a value, or `content.reading.typed.BROKEN` once it has told why there is none."""


class MakesReaders(Protocol):
    """What a reader of a game's own is made with: `content.reading.typed.Readers`."""

    @property
    def schema(self) -> "Schema":
        """Return what is known of the schema."""

    def of_family(self, family: type) -> Read:
        """Return the reader of a family of parts."""

    def of_object(self, cls: type, given: Mapping[str, Any]) -> Read:
        """Return the reader of a class."""


_NONE: Mapping[Any, Any] = types.MappingProxyType({})


@attrs.frozen(eq=False)
class Schema:
    """What there is to know of a schema beyond the classes themselves."""

    kinds: Kinds
    declares: Mapping[Way, enum.Enum] = _NONE
    """The fields that bring something into being; of a mapping, its keys do."""
    sorts: Mapping[Way, enum.Enum] = _NONE
    """The fields that say of what sort something is; several things may be of one sort."""
    refers: Mapping[Way, enum.Enum] = _NONE
    """The fields that name something; of a list its items do, of a mapping its values."""
    by_key: frozenset[Way] = frozenset()
    """The mappings whose keys name something, in place of their values."""
    free: Mapping[Way, frozenset[str]] = _NONE
    """What may stand in such a field without naming anything."""
    shown_as: Mapping[Way, str] = _NONE
    """The fields whose text is shown under a subject: its first part, before the text."""
    within: Mapping[enum.Enum, tuple[enum.Enum, ...]] = _NONE
    """What else is missing when something of a kind cannot be read."""
    checks: Mapping[type, Check] = _NONE
    bounds: Mapping[Way, tuple[int, int]] = _NONE
    """Between what the whole numbers in a field must lie."""
    default_bounds: tuple[int, int] = (0, 99)
    """Of whole numbers that have no bounds of their own."""
    short: Mapping[type, str] = _NONE
    """The one field of a class that may be written in place of the mapping."""
    called: Mapping[type, str] = _NONE
    """What a family is called in messages, where it is not as its class."""
    own: Mapping[tuple[type, ...], Callable[[MakesReaders, Way | None], Read]] = _NONE
    """Makes the readers of types that are written as nothing else is; by the members of a union."""

    def bounds_of(self, way: Way) -> tuple[int, int]:
        """Return between what the whole numbers in a field must lie."""
        return self.bounds.get(way, self.default_bounds)
