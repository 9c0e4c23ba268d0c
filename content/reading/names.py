"""Ids, and the kinds of thing that the packs of a game declare and name."""

import enum
import re
import types
from collections.abc import Mapping

import attrs

PLAIN_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
"""An id inside one file, and each part of a subject."""
SUBJECT = re.compile(rf"{PLAIN_ID.pattern}(?:/{PLAIN_ID.pattern})+")
"""An id that is a subject."""
ANY_ID = re.compile(rf"{PLAIN_ID.pattern}(?:/{PLAIN_ID.pattern})*")
"""A plain id or a subject."""


@attrs.frozen(eq=False)
class Kinds:
    """Facts about a game's kinds; the value of a kind is its name in messages."""

    name: enum.Enum | None = None
    """The kind of subjects whose words must have the field `name`."""
    of_scenario: frozenset[enum.Enum] = frozenset()
    """Kinds that belong to the scenario that declares them; all other kinds belong to the pack."""
    of_sort: frozenset[enum.Enum] = frozenset()
    """Kinds whose ids may be declared more than once, such as traits."""
    named: frozenset[enum.Enum] = frozenset()
    """Kinds with names that players read, so the words must have them."""
    prefixes: Mapping[enum.Enum, tuple[str, ...]] = types.MappingProxyType({})
    """Allowed first parts of ids, by kind; empty for any subject. Other kinds have plain ids."""
    composed: frozenset[enum.Enum] = frozenset()
    """Kinds whose ids are composed of other ids, which have been checked."""

    def id_fault(self, kind: enum.Enum, id_: str) -> str | None:
        """Return the mistake in the id of a thing of this kind, or None."""
        if kind in self.composed:
            return None
        # A subject is checked with its prefix, everything else is a single word.
        shape, is_good = "one word", bool(PLAIN_ID.fullmatch(id_))
        if (prefixes := self.prefixes.get(kind)) is not None:
            shape = " or ".join(f"{prefix}/…" for prefix in prefixes) or "a subject"
            has_prefix = not prefixes or id_.partition("/")[0] in prefixes
            is_good = has_prefix and bool(SUBJECT.fullmatch(id_))
        if is_good:
            return None
        return f"{id_[:80]!r} is no id; write {shape} of small letters, digits and hyphens"
