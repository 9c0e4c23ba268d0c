"""
Draws: random choices of rules and content.

* `draw_entry`: picks one of several entries publicly; anybody may count the entries.
* `draw_unseen`: picks one of several entries that may depend on secrets. Both the pick and the
  number of entries stay sealed. The draw happens even among one entry or none, since a missing draw
  would reveal that.
* `deal`: like `draw_unseen`, from the chance of the setup: in a fixed setup the entries do not
  depend on the players.

In a log of version 1 all three are public picks, and a single entry needs no draw.

The consequences of a secret choice must look the same for every choice. `behind_a_secret` ensures
this: all draws in it have one kind and one purpose, and their number is the largest that any of the
possible effects can make.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import attrs

from server.kernel.game import Game
from server.rulekit.memory import Memory

T = TypeVar("T")

NOTHING = "-"
"""Placeholder drawn from an empty pool."""
SECRET = "secret choice"  # noqa: S105  # the name of something under way, and the purpose of draws
_MADE = "x"
"""Name of the memory's counter of draws behind secret choices."""


@attrs.frozen
class Draws:
    """The draws of one game."""

    memory: Memory | None = None
    """Memory that counts the draws behind secret choices; None in a game without such choices."""

    def draw_entry(self, game: Game[Any, Any], purpose: str, entries: Sequence[T]) -> T:
        """
        Pick one of these entries publicly; inside `behind_a_secret` the pick is sealed.

        A single entry needs no draw.
        """
        if len(entries) == 1:
            return entries[0]
        if SECRET in game.under_way:
            return entries[self._draw_behind(game, len(entries))]
        return game.pick(purpose, entries)

    def draw_unseen(
        self, game: Game[Any, Any], purpose: str, entries: Sequence[T], weights: Sequence[int]
    ) -> T | None:
        """Pick one of these entries in secret, by weight; None if there are none."""
        weighted = _by_weight(entries, weights)
        if game.version == 1:
            return _draw_openly(game, purpose, entries, weighted)
        if SECRET in game.under_way:
            return weighted[self._draw_behind(game, len(weighted))] if weighted else None
        at = game.pick_secretly(purpose, range(len(weighted)) or (-1,))
        return None if at < 0 else weighted[at]

    def deal(
        self,
        game: Game[Any, Any],
        purpose: str,
        entries: Sequence[T],
        *,
        weights: Sequence[int] | None = None,
        name: Callable[[T], str] = str,
        before: str = "",
    ) -> T | None:
        """
        Draw one of these entries in secret, from the chance of the setup; None if there are none.

        Args:
            game: the game.
            purpose: public purpose of the draw.
            entries: the possible results.
            weights: relative probability of each entry; equal by default.
            name: names an entry, the same in every game.
            before: the purpose in logs of version 1.
        """
        weighted = _by_weight(entries, weights or [1] * len(entries))
        if game.version == 1:
            return _draw_openly(game, before, entries, weighted)
        if SECRET in game.under_way:
            return weighted[self._draw_behind(game, len(weighted))] if weighted else None
        named = {
            # A draw ranks names with equal chances, so an entry of weight two has two names.
            f"{name(entry)}#{copy}" if weights else name(entry): entry
            for entry, weight in zip(entries, weights or [1] * len(entries), strict=True)
            for copy in range(1, weight + 1)
        }
        return named.get(game.deal(purpose, tuple(named) or (NOTHING,)))

    @contextmanager
    def behind_a_secret(self, game: Game[Any, Any], most: Callable[[], int]) -> Iterator[None]:
        """
        Enclose the resolution of one of several effects; only the actor knows which one it is.

        The context leaves the same number of draws on the log for each of these effects, all of one
        kind and purpose. The author of the content has to see to it that an effect does nothing
        else in public.

        Args:
            game: the game.
            most: returns the largest number of draws that one of the effects can make.
        """
        if game.version == 1 or SECRET in game.under_way:
            # A secret within a secret: the outer one counts the draws of both.
            yield
            return
        before = self._made(game)
        game.under_way.add(SECRET)
        try:
            yield
        finally:
            game.under_way.discard(SECRET)
        # Draws of nothing make up for those that the chosen way did not take.
        for _ in range(most() - (self._made(game) - before)):
            game.deal(SECRET, (NOTHING,))

    def _made(self, game: Game[Any, Any]) -> int:
        """Return the number of draws behind secret choices so far."""
        assert self.memory is not None
        return self.memory.number(game, _MADE) or 0

    def _draw_behind(self, game: Game[Any, Any], count: int) -> int:
        assert self.memory is not None
        self.memory.remember(game, _MADE, self._made(game) + 1)
        return game.deal(SECRET, tuple(range(count)))


def _by_weight(entries: Sequence[T], weights: Sequence[int]) -> list[T]:
    return [entry for entry, weight in zip(entries, weights, strict=True) for _ in range(weight)]


def _draw_openly(
    game: Game[Any, Any], purpose: str, entries: Sequence[T], weighted: Sequence[T]
) -> T | None:
    if len(entries) < 2:
        return next(iter(entries), None)
    return game.pick(purpose, weighted)
