"""
Reach: all that can come into play, over every choice and every draw.

It is found by following references from the parts that come by themselves, through all that they
bring, and so on. Fields that bring something are marked `Role.BRINGS`.
Whether a condition can ever hold is not asked: that would need the rules.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from content.language.references import NamedReference
from content.language.walk import parts_in


@attrs.define
class Reached:
    """The ids and the parts that can come into play."""

    named: set[NamedReference] = attrs.field(factory=set)
    parts: list[Any] = attrs.field(factory=list)

    def has(self, kind: Any, id_: str) -> bool:
        """Return whether the thing with this kind and id can come into play."""
        return NamedReference(kind, id_) in self.named

    def of(self, type_: type) -> Iterator[Any]:
        """Yield the reachable parts of one class."""
        return (part for part in self.parts if isinstance(part, type_))

    def follow(
        self,
        roots: Iterable[Any],
        brought: Callable[[Any], Iterable[NamedReference]],
        meant: Callable[[NamedReference], Any],
        shut: frozenset[NamedReference] = frozenset(),
    ) -> None:
        """
        Add everything that is reachable from some values.

        Args:
            roots: the values to begin with.
            brought: returns references to the things that a part brings into play.
            meant: returns the values that become reachable with a reference.
            shut: references that are added but not followed.
        """
        waiting = list(roots)
        while waiting:
            for part in parts_in(waiting.pop()):
                self.parts.append(part)
                for named in brought(part):
                    if named not in self.named:
                        # Noted before it is followed, so that circles of references end.
                        self.named.add(named)
                        if named not in shut:
                            waiting.append(meant(named))
