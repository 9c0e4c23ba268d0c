"""
Marks: count how often a game resolved each part of a scenario.

The scenario is played with counters added to it, one for each part. Rules and kernel treat these
like any other counters.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs


@attrs.define
class Marker:
    """Rebuilds values of a schema with a counting step for each part."""

    kinds: Mapping[type, str]
    """Kind of mark of each class whose `effect` begins with a counting step."""
    steps: Mapping[type, str]
    """
    Kind of mark of each class of step with a counting step in front of it, because no step after it
    is resolved.
    """
    name_of: Callable[[Any, str], str]
    """
    Returns the id in the mark of a part, given the part and the nearest id or key around the part.
    """
    counting: Callable[[str], Any]
    """Returns a step that counts on the counter with the given name."""
    counters: dict[str, tuple[str, str]] = attrs.field(factory=dict, init=False)
    """Kind and id of each mark, by the name of the mark's counter."""
    _within: str = attrs.field(default="", init=False)
    """The nearest id or key around the part that is rebuilt."""

    def marked(self, value: Any) -> Any:
        """Return a value with a counting step for each part that has a mark."""
        if isinstance(value, tuple):
            items: list[Any] = []
            for item in value:
                # Nothing behind such a step is resolved, so it is counted in front.
                if (kind := self.steps.get(type(item))) is not None:
                    items.append(self.count(kind, self.name_of(item, self._within)))
                items.append(self.marked(item))
            return tuple(items)
        if isinstance(value, Mapping):
            return {key: self._inside(str(key), inner) for key, inner in value.items()}
        if not attrs.has(type(value)):
            return value
        within = getattr(value, "id", self._within)
        fields = [field.name for field in attrs.fields(type(value))]
        # attrs takes `_name` as `name` in `evolve`.
        changes = {name.lstrip("_"): self._inside(within, getattr(value, name)) for name in fields}
        made = attrs.evolve(value, **changes)
        if (kind := self.kinds.get(type(value))) is None:
            return made
        # Counted first in its own effect: a later step may end the effect, or the game.
        first = self.count(kind, self.name_of(value, self._within))
        return attrs.evolve(made, effect=(first, *made.effect))

    def count(self, kind: str, id_: str) -> Any:
        """Add a counter for a new mark, and return the step that increments the counter."""
        name = f"mark{len(self.counters) + 1}"
        self.counters[name] = (kind, id_)
        return self.counting(name)

    def _inside(self, within: str, value: Any) -> Any:
        # Restored afterwards: siblings have the same surroundings.
        before, self._within = self._within, within
        made = self.marked(value)
        self._within = before
        return made
