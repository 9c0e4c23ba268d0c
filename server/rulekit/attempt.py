"""
Attempts: a character works on a thing of the content, step by step, until it is done or they leave.

The class of the thing defines its layout and the steps that can be made on it. The game decides
which characters may make how many steps.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

import attrs

from server.kernel.asks import Option
from server.kernel.game import Game

GameT = TypeVar("GameT", bound=Game[Any, Any])
ThingT = TypeVar("ThingT")
Perform = Callable[[GameT, str], Awaitable[None]]
"""Function that makes one step for a character."""


@attrs.frozen
class Kind(Generic[GameT]):
    """A kind of thing that characters can work on."""

    name: str
    """Last part of the catalog subjects of its questions: `about/NAME` and `ask/NAME`."""
    lay_out: Callable[[GameT, Any], Awaitable[None]]
    """Puts a thing of this kind on the table, before the first attempt."""
    steps: Callable[[GameT, Any], list[Option[Perform[GameT]]]]
    """Returns every step that can be made on the thing now."""


@attrs.frozen
class Kinds(Generic[GameT]):
    """Registry of one game's kinds, by the classes of their things."""

    by_class: dict[type, Kind[GameT]] = attrs.field(factory=dict)

    def declare(
        self,
        made: type[ThingT],
        name: str,
        lay_out: Callable[[GameT, ThingT], Awaitable[None]],
        steps: Callable[[GameT, ThingT], list[Option[Perform[GameT]]]],
    ) -> None:
        """Register the kind of all things of the class `made`."""
        self.by_class[made] = Kind(name, lay_out, steps)

    def of(self, thing: object) -> Kind[GameT]:
        """Return the kind of a thing, by its class. Raises KeyError for an undeclared class."""
        return self.by_class[type(thing)]


async def leave(_game: Game[Any, Any], _character: str) -> None:
    """Do nothing. Offer this as the step that ends an attempt: `work` stops at it."""


async def work(
    game: GameT,
    character: str,
    *,
    is_done: Callable[[], bool],
    choose: Callable[[], Awaitable[Perform[GameT]]],
) -> None:
    """Have a character make steps until the thing is done or they choose to `leave`."""
    while not is_done():
        perform = await choose()
        if perform is leave:
            break
        await perform(game, character)
