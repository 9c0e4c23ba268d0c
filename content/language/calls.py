"""
Calls: named effects that call one another, which must neither run in a circle nor nest too deep.

Rules resolve a step inside the step that holds it, so that steps which nest without bound would
take all of the server's stack.
"""

import enum
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from content.language.references import named_by, named_in
from content.reading.meanings import Role
from content.reading.mistakes import ContentError, Place

MAX_NESTED_STEPS = 100
"""Maximum levels of nested steps, counting the steps of called effects as nested."""
_MOST_SHOWN = 8
"""Maximum number of effects of a cycle that a message names."""

_Calls = Mapping[str, tuple[str, ...]]


def check_calls(
    effects: Mapping[str, Any], places: Mapping[str, Place], kind: enum.Enum, step: type
) -> Iterator[ContentError]:
    """
    Yield mistakes: named effects that call themselves, or that nest too deep.

    Args:
        effects: the named effects.
        places: the place where each effect is declared.
        kind: the kind of named effects, which marks the calling fields of steps.
        step: the family of all steps.
    """
    calls: _Calls = {
        name: tuple(sorted({c.id for c in named_in(effect, Role.BRINGS) if c.kind is kind}))
        for name, effect in effects.items()
    }
    depths: dict[str, int] = {}

    def depth(value: Any) -> int:
        """Return the depth to which the steps of a value are nested."""
        if attrs.has(type(value)):
            called = [c.id for c in named_by(value, Role.BRINGS) if c.kind is kind]
            if called:
                return 1 + depths.get(called[0], 0)
            inner = [getattr(value, field.name) for field in attrs.fields(type(value))]
        elif isinstance(value, Mapping):
            inner = list(value.values())
        else:
            inner = list(value) if isinstance(value, tuple) else []
        return isinstance(value, step) + max(map(depth, inner), default=0)

    # Whatever is called comes before its callers, so that each depth is worked out once. Those that
    # call in a circle never come: they have no depth.
    for name in _inner_first({name: tuple(c for c in calls[name] if c in calls) for name in calls}):
        depths[name] = depth(effects[name])
        # Told once: whatever calls this one is deeper still.
        if depths[name] > MAX_NESTED_STEPS:
            reason = f"steps stand more than {MAX_NESTED_STEPS} deep in one another; call fewer"
            yield ContentError.at(places[name], f"{reason} effects from effects")
            return
    yield from _circles({name: calls[name] for name in calls if name not in depths}, places)


def _inner_first(calls: _Calls) -> Iterator[str]:
    """Yield the effects, each after all effects that it calls; effects in a circle are left out."""
    callers: dict[str, list[str]] = {name: [] for name in calls}
    for name, called in calls.items():
        for other in called:
            callers[other].append(name)
    left = {name: len(called) for name, called in calls.items()}
    waiting = deque(name for name, count in left.items() if not count)
    while waiting:
        name = waiting.popleft()
        yield name
        for caller in callers[name]:
            left[caller] -= 1
            if not left[caller]:
                waiting.append(caller)


def _circles(calls: _Calls, places: Mapping[str, Place]) -> Iterator[ContentError]:
    """Yield a mistake for each circle of calls, at the effect whose name sorts first."""
    told: set[str] = set()
    for name in sorted(calls):
        way = () if name in told else _way_back(name, calls)
        # All effects of a circle are told with it, and not as circles of their own.
        told.update(way)
        if way:
            shown = [*way, name] if len(way) <= _MOST_SHOWN else [*way[:_MOST_SHOWN], "…", name]
            reason = f"calls itself without end: {' → '.join(shown)}; break the circle"
            yield ContentError.at(places[name], reason)


def _way_back(start: str, calls: _Calls) -> tuple[str, ...]:
    """Return the names on a shortest path of calls from `start` back to itself; empty for none."""
    # Breadth first finds a shortest way, which is the easiest to read in a message.
    before = {start: ""}
    waiting = deque([start])
    while waiting:
        name = waiting.popleft()
        for called in calls.get(name, ()):
            if called == start:
                way = [name]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return tuple(reversed(way))
            if called not in before:
                before[called] = name
                waiting.append(called)
    return ()
