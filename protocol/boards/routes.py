"""
Routes: breadth-first search over a board, for rules, bots and checks of content alike.

A game passes a function `onward`, which returns the spaces one step away from a space, in an order
that is the same in every process. The same search finds ranges, walks and flights, each with
another function. Spaces may be anything hashable.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

SpaceT = TypeVar("SpaceT", bound=Hashable)
T = TypeVar("T")

Onward = Callable[[SpaceT], Iterable[SpaceT]]
"""Function that returns the spaces one step away from a space."""


def reach(
    starts: Iterable[SpaceT], onward: Onward[SpaceT], most: int | None = None
) -> dict[SpaceT, int]:
    """
    Return the fewest steps to each space that can be reached, the starts (at 0) included.

    Nearer spaces come first; spaces at one distance are in the order in which `onward` finds them.
    Rules pick at random by position in this order, so it must never change.

    Args:
        starts: where the search begins.
        onward: returns the spaces one step away from a space.
        most: longest distance of interest, at least 0; None for the whole board.
    """
    away = dict.fromkeys(starts, 0)
    todo = list(away)
    # The list grows while it is read.
    for space in todo:
        steps = away[space] + 1
        if most is not None and steps > most:
            break
        for other in onward(space):
            if other not in away:
                away[other] = steps
                todo.append(other)
    return away


def nearest(away: Mapping[SpaceT, int], things: Mapping[T, SpaceT]) -> tuple[T, ...]:
    """
    Return the things that are the fewest steps away, in the order of `things`.

    Args:
        away: steps to each space that can be reached, as `reach` returns them.
        things: the space of each thing. Things in other spaces are left out.
    """
    return _extreme(away, things, min)


def farthest(away: Mapping[SpaceT, int], things: Mapping[T, SpaceT]) -> tuple[T, ...]:
    """Return the things that are the most steps away; arguments and order as in `nearest`."""
    return _extreme(away, things, max)


def _extreme(
    away: Mapping[SpaceT, int],
    things: Mapping[T, SpaceT],
    best: Callable[[Iterable[int]], int],
) -> tuple[T, ...]:
    steps = {thing: away[space] for thing, space in things.items() if space in away}
    if not steps:
        return ()
    wanted = best(steps.values())
    return tuple(thing for thing, count in steps.items() if count == wanted)
