"""
The chance of a game that is noted, and that of its twin.

The first game plays with a chance of its own; a `Draws` notes what each of its draws was of. Its
twin is given the same wherever the viewer knows the outcome, and another deal of what they do not
know: a `TwinChance` decides draw by draw, and each draw the same again however often it is asked,
since a room that is built again repeats its draws.
"""

import contextlib
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from unittest import mock

import attrs

from protocol.common.events import Picked, Rolled, Shuffled
from protocol.common.table import Handle, Table, fold
from protocol.event import Record
from server.kernel.chance import Chance, SeededChance
from server.kernel.game import Game
from server.kernel.scribe import HANDLE_BYTES

Draw = tuple[bool, int]
"""Whether a draw belongs to the setup, and its number."""


class Contradiction(Exception):
    """What the viewer knows cannot come about any more after what was dealt before."""


@attrs.define(eq=False)
class Draws:
    """What the draws of a game were of."""

    options: tuple[Any, ...] = ()
    """Of the pick that is being made now; empty where the kernel makes it."""
    chosen: dict[Draw, Any] = attrs.field(factory=dict)

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Note what is picked from, whichever game is played meanwhile."""
        with contextlib.ExitStack() as patches:
            for name in ("pick",):
                honest = getattr(Game, name)
                patches.enter_context(mock.patch.object(Game, name, self._noting(honest)))
            yield

    def _noting(self, honest: Callable[..., Any]) -> Callable[..., Any]:
        def pick(game: Any, purpose: str, options: Sequence[Any], *rest: Any, **named: Any) -> Any:
            self.options = tuple(options)
            try:
                return honest(game, purpose, options, *rest, **named)
            finally:
                self.options = ()

        return pick


@attrs.define
class _Noting:
    """A seeded chance whose picks are noted."""

    draws: Draws
    chance: SeededChance
    is_setup: bool

    def roll(self, draw: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Return dice."""
        return self.chance.roll(draw, purpose, count, sides)

    def pick(self, draw: int, purpose: str, bound: int) -> int:
        """Return a pick, and note what it was."""
        at = self.chance.pick(draw, purpose, bound)
        if self.draws.options:
            self.draws.chosen[self.is_setup, draw] = self.draws.options[at]
        return at

    def shuffle(self, draw: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return an order."""
        return self.chance.shuffle(draw, purpose, items)


@attrs.define
class FirstChance:
    """Makes the chance of a first game."""

    draws: Draws
    made: int = 0

    def make_chance(self, key: bytes) -> Chance:
        """Return the chance of play, then that of the setup: a room asks for them in turn."""
        self.made += 1
        return _Noting(self.draws, SeededChance(key), is_setup=self.made % 2 == 0)


@attrs.frozen
class _Mix:
    """One shuffle of the first game."""

    happened: Shuffled
    sources: tuple[tuple[Handle, str], ...]
    """The cards that were in the pile before, with the handles they had there."""


@attrs.frozen
class Chances:
    """What chance decided in a first game."""

    outcomes: Mapping[Draw, Rolled | Picked]
    mixes: Mapping[Draw, _Mix]
    chosen: Mapping[Draw, Any]

    @classmethod
    def of(cls, records: Iterable[Record], draws: Draws) -> "Chances":
        """Read them off the records of a game, all secrets open."""
        table = Table()
        outcomes: dict[Draw, Rolled | Picked] = {}
        mixes: dict[Draw, _Mix] = {}
        for record in records:
            happened = record.event
            if isinstance(happened, Rolled | Picked):
                outcomes[happened.is_setup, happened.draw] = happened
            elif isinstance(happened, Shuffled):
                assert table.game is not None
                lay = table.game.piles.get(happened.pile, ())
                sources = tuple((handle, table.game.card_of(handle)) for handle in lay)
                mixes[happened.is_setup, happened.draw] = _Mix(happened, sources)
            table = fold(table, record)
        return cls(outcomes, mixes, dict(draws.chosen))

    def pinned(self, known: Mapping[Handle, str]) -> dict[Handle, str]:
        """Return what is known, and where it lay before it was mixed: it must come from there."""
        pinned = dict(known)
        for mix in reversed(self.mixes.values()):
            # The pile's own earlier cards alone: what else came into it was open to all.
            needed = Counter(pinned[h] for h in mix.happened.handles if h in pinned)
            needed.subtract(card for handle, card in mix.sources if handle in pinned)
            for handle, card in mix.sources:
                if handle not in pinned and needed[card] > 0:
                    pinned[handle] = card
                    needed[card] -= 1
        return pinned


class TwinChance:
    """The entropy and the chance of a twin. Its salts and seeds are its own."""

    def __init__(
        self, first: Chances, known: Mapping[Handle, str], seed: str, draws: Draws
    ) -> None:
        """
        Take what chance decided in the first game.

        Args:
            first: the first game.
            known: the cards that stay where they are.
            seed: of all that is dealt otherwise.
            draws: knows what a pick of the twin is made from.
        """
        self._first, self._seed, self._draws = first, seed, draws
        self._pinned = first.pinned(known)
        self._entropy = random.Random(seed)
        self._handles: deque[Handle] = deque()
        self._made = 0
        self.moved = 0
        """How many cards were dealt elsewhere than in the first game."""

    def draw(self, count: int) -> bytes:
        """Return the handles of the first game where it minted some, else random bytes."""
        if count == HANDLE_BYTES and self._handles:
            return bytes.fromhex(self._handles.popleft())
        return self._entropy.randbytes(count)

    def make_chance(self, key: bytes) -> Chance:
        """Return the chance of play, then that of the setup: a room asks for them in turn."""
        self._made += 1
        return _Half(self, SeededChance(key), is_setup=self._made % 2 == 0)

    def outcome(self, draw: Draw, purpose: str) -> Rolled | Picked | None:
        """Return what the first game rolled or picked there, if it was for the same."""
        known = self._first.outcomes.get(draw)
        return known if known is not None and known.purpose == purpose else None

    def place(self, draw: Draw, known: Picked) -> int:
        """Return where that which the first game picked stands in the list of the twin."""
        options = self._draws.options
        if not options or draw not in self._first.chosen:
            return known.result
        chosen = self._first.chosen[draw]
        if chosen not in options:
            raise Contradiction(f"{known.purpose} {draw} cannot pick the same")
        # Of several that are alike the one in the same place, if the list is the same.
        is_there = known.result < len(options) and options[known.result] == chosen
        return known.result if is_there else options.index(chosen)

    def mix(self, draw: Draw, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return an order in which pinned cards lie as in the first game, and no others."""
        known = self._first.mixes.get(draw)
        rng = random.Random(f"{self._seed}/{draw}/{purpose}")
        self._handles.clear()
        if known is None or known.happened.purpose != purpose:
            return _mixed(rng, items)
        handles, first = known.happened.handles, known.happened.order.value
        if len(handles) != len(items):
            return _mixed(rng, items)
        self._handles.extend(handles)
        left = Counter(items)
        left.subtract(self._pinned[handle] for handle in handles if handle in self._pinned)
        if min(left.values(), default=0) < 0:
            raise Contradiction(f"{purpose} {draw} has not the cards that the viewer knows")
        free = deque(_mixed(rng, left.elements()))
        order = tuple(self._pinned.get(handle) or free.popleft() for handle in handles)
        self.moved += sum(1 for mine, theirs in zip(order, first, strict=True) if mine != theirs)
        return order


def _mixed(rng: random.Random, items: Iterable[str]) -> tuple[str, ...]:
    order = sorted(items)
    rng.shuffle(order)
    return tuple(order)


@attrs.frozen
class _Half:
    """The chance of play, or that of the setup, of a twin."""

    twin: TwinChance
    own: SeededChance
    """For what the first game did not draw."""
    is_setup: bool

    def roll(self, draw: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Return the dice of the first game."""
        known = self.twin.outcome((self.is_setup, draw), purpose)
        if isinstance(known, Rolled) and (known.sides, len(known.faces)) == (sides, count):
            return known.faces
        return self.own.roll(draw, purpose, count, sides)

    def pick(self, draw: int, purpose: str, bound: int) -> int:
        """Return the place of what the first game picked."""
        known = self.twin.outcome((self.is_setup, draw), purpose)
        if isinstance(known, Picked):
            at = self.twin.place((self.is_setup, draw), known)
            if at < bound:
                return at
        return self.own.pick(draw, purpose, bound)

    def shuffle(self, draw: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return an order of the twin's own, pins apart."""
        return self.twin.mix((self.is_setup, draw), purpose, items)
