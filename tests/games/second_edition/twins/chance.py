"""Recorded chance of a first game, and the chance of its twin.

The first game has its own chance, and a `Draws` records the entries of each draw. A `TwinChance`
decides draw by draw: it repeats outcomes that the viewer knows and changes others. A repeated
request gets the same decision, because a rebuilt room repeats its draws.
"""

import contextlib
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from unittest import mock

import attrs

from protocol.common.chance import SeededChance, Stream
from protocol.common.events import Dealt, Picked, PickedSecretly, Rolled, Shuffled
from protocol.common.table import Handle, Table, fold
from protocol.event import Record
from server.games.second_edition.rules.steps import flow
from server.kernel.batch_writer import HANDLE_BYTES
from server.kernel.chance import Chance
from server.kernel.game import Game

Draw = tuple[Stream, int, str]
"""The stream, number and purpose of a draw."""

FACTS = "counter "
"""Prefixes of the purposes of deals whose outcome nobody sees."""
SECRET = "secret choice"  # a purpose
"""Purpose of draws behind a secret choice; their outcome can be seen."""


class Contradiction(Exception):
    """The viewer's knowledge contradicts what the twin has already dealt."""


@attrs.define(eq=False)
class Draws:
    """Recorded entries of the draws in a game."""

    options: Sequence[Any] = ()
    """Entries of the pick being made; empty for a pick by the kernel."""
    chosen: dict[Draw, Any] = attrs.field(factory=dict)

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Record the entries of picks in any game played inside the context."""
        with contextlib.ExitStack() as patches:
            patches.enter_context(mock.patch.object(Game, "pick", self._noting(Game.pick)))
            unseen = self._noting_options(getattr(flow, "draw_unseen"))  # noqa: B009  # not exported
            patches.enter_context(mock.patch.object(flow, "draw_unseen", unseen))
            yield

    def _noting_options(self, honest: Callable[..., Any]) -> Callable[..., Any]:
        def draw_unseen(play: Any, purpose: str, entries: Any, weights: Any) -> Any:
            weighted = zip(entries, weights, strict=True)
            # Nothing is one of the weighted where nothing else is.
            self.options = [entry for entry, weight in weighted for _ in range(weight)] or [None]
            try:
                return honest(play, purpose, entries, weights)
            finally:
                self.options = ()

        return draw_unseen

    def make_chance(self, stream: Stream, key: bytes) -> Chance:
        """Return the chance of one stream of a first game, with its picks recorded."""
        return _Noting(self, SeededChance(key), stream)

    def _noting(self, honest: Callable[..., Any]) -> Callable[..., Any]:
        def pick(game: Any, purpose: str, options: Sequence[Any], *rest: Any, **named: Any) -> Any:
            self.options = options
            try:
                return honest(game, purpose, options, *rest, **named)
            finally:
                self.options = ()

        return pick


@attrs.define
class _Noting:
    """Seeded chance whose picks are recorded."""

    draws: Draws
    chance: SeededChance
    stream: Stream

    def roll(self, number: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        return self.chance.roll(number, purpose, count, sides)

    def pick(self, number: int, purpose: str, bound: int) -> int:
        at = self.chance.pick(number, purpose, bound)
        if self.draws.options:
            self.draws.chosen[self.stream, number, purpose] = self.draws.options[at]
        return at

    def shuffle(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        return self.chance.shuffle(number, purpose, items)

    def rank(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        return self.chance.rank(number, purpose, items)


@attrs.frozen
class _Mix:
    """One shuffle of the first game."""

    happened: Shuffled
    sources: tuple[tuple[Handle, str], ...]
    """Cards that were in the pile before, with their former handles."""


@attrs.frozen
class Chances:
    """Results of chance in a first game."""

    outcomes: Mapping[Draw, Rolled | Picked | PickedSecretly | Dealt]
    mixes: Mapping[Draw, _Mix]
    chosen: Mapping[Draw, Any]

    @classmethod
    def of(cls, records: Iterable[Record], draws: Draws) -> "Chances":
        """Read the results from the records of a game with all secrets open."""
        table = Table()
        outcomes: dict[Draw, Rolled | Picked | PickedSecretly | Dealt] = {}
        mixes: dict[Draw, _Mix] = {}
        for record in records:
            happened = record.event
            if isinstance(happened, Rolled | Picked | PickedSecretly | Dealt):
                outcomes[happened.drawn_from, happened.number, happened.purpose] = happened
            elif isinstance(happened, Shuffled):
                assert table.game is not None
                draw = happened.stream, happened.number, happened.purpose
                lay = table.game.piles.get(happened.pile, ())
                sources = tuple((handle, table.game.card_of(handle)) for handle in lay)
                mixes[draw] = _Mix(happened, sources)
            table = fold(table, record)
        return cls(outcomes, mixes, dict(draws.chosen))

    def pinned(self, known: Mapping[Handle, str]) -> dict[Handle, str]:
        """Return the known cards, also by the handles they had before earlier shuffles."""
        pinned = dict(known)
        for mix in reversed(list(self.mixes.values())):
            # The pile's own earlier cards alone: what else came into it was open to all.
            needed = Counter(pinned[h] for h in mix.happened.handles if h in pinned)
            needed.subtract(card for handle, card in mix.sources if handle in pinned)
            for handle, card in mix.sources:
                if handle not in pinned and needed[card] > 0:
                    pinned[handle] = card
                    needed[card] -= 1
        return pinned


class TwinChance:
    """Entropy and chance of a twin, with salts and seeds of its own."""

    def __init__(
        self, first: Chances, known: Mapping[Handle, str], seed: str, draws: Draws
    ) -> None:
        """Store the results of the first game.

        Args:
            known: cards that keep their places.
            seed: of everything dealt differently.
            draws: records the entries of each pick of the twin.
        """
        self._first, self._seed, self._draws = first, seed, draws
        self._pinned = first.pinned(known)
        self._entropy = random.Random(seed)
        self._handles: deque[Handle] = deque()
        self.moved = 0
        """How many cards were dealt elsewhere than in the first game."""

    def draw(self, count: int) -> bytes:
        """Return the handles of the first game while there are some, else random bytes."""
        if count == HANDLE_BYTES and self._handles:
            return bytes.fromhex(self._handles.popleft())
        return self._entropy.randbytes(count)

    def make_chance(self, stream: Stream, key: bytes) -> Chance:
        return _OfStream(self, SeededChance(key), stream)

    def outcome(self, draw: Draw) -> Rolled | Picked | PickedSecretly | Dealt | None:
        """Return the draw of the first game, None if it made none."""
        return self._first.outcomes.get(draw)

    def place(self, draw: Draw, result: int) -> int:
        """Return the position, in the twin's list, of what the first game picked."""
        options = self._draws.options
        if not options or draw not in self._first.chosen:
            return result
        chosen = self._first.chosen[draw]
        if chosen not in options:
            raise Contradiction(f"{draw} cannot pick the same")
        # Of several that are alike the one in the same place, if the list is the same.
        is_there = result < len(options) and options[result] == chosen
        return result if is_there else options.index(chosen)

    def order(self, draw: Draw, items: Sequence[str]) -> tuple[str, ...]:
        """Return the items with the result of the first game at the front.

        If nobody sees the result, or another secret choice was made, the order is random.
        """
        known = self.outcome(draw)
        if not isinstance(known, Dealt) or draw[2].startswith(FACTS):
            mixed = _mixed(random.Random(f"{self._seed}/{draw}"), items)
            self.moved += isinstance(known, Dealt) and mixed[0] != known.choice.value.result
            return mixed
        result = known.choice.value.result
        if result not in items and draw[2] == SECRET:
            # Something else was chosen, which draws from other things.
            return _mixed(random.Random(f"{self._seed}/{draw}"), items)
        if result not in items:
            raise Contradiction(f"{draw} cannot draw the same")
        return (result, *(item for item in items if item != result))

    def has_mixed(self, draw: Draw) -> bool:
        """True if this draw shuffled a pile in the first game."""
        return draw in self._first.mixes

    def mix(self, draw: Draw, items: Sequence[str]) -> tuple[str, ...]:
        """Return an order in which only the pinned cards keep their places of the first game."""
        known = self._first.mixes.get(draw)
        rng = random.Random(f"{self._seed}/{draw}")
        self._handles.clear()
        if known is None:
            return _mixed(rng, items)
        handles, first = known.happened.handles, known.happened.order.value
        if len(handles) != len(items):
            return _mixed(rng, items)
        self._handles.extend(handles)
        left = Counter(items)
        left.subtract(self._pinned[handle] for handle in handles if handle in self._pinned)
        if min(left.values(), default=0) < 0:
            raise Contradiction(f"{draw} has not the cards that the viewer knows")
        free = deque(_mixed(rng, left.elements()))
        order = tuple(self._pinned.get(handle) or free.popleft() for handle in handles)
        self.moved += sum(1 for mine, theirs in zip(order, first, strict=True) if mine != theirs)
        return order


def _mixed(rng: random.Random, items: Iterable[str]) -> tuple[str, ...]:
    order = sorted(items)
    rng.shuffle(order)
    return tuple(order)


@attrs.frozen
class _OfStream:
    """Chance of one stream of a twin."""

    twin: TwinChance
    own: SeededChance
    """Chance for draws that the first game did not make."""
    stream: Stream

    def roll(self, number: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        known = self.twin.outcome((self.stream, number, purpose))
        if isinstance(known, Rolled) and (known.sides, len(known.faces)) == (sides, count):
            return known.faces
        return self.own.roll(number, purpose, count, sides)

    def pick(self, number: int, purpose: str, bound: int) -> int:
        """Return the position of what the first game picked, else a pick of the twin's own."""
        draw = self.stream, number, purpose
        known = self.twin.outcome(draw)
        if isinstance(known, Picked | PickedSecretly):
            was = known.result if isinstance(known, Picked) else known.choice.value.result
            at = self.twin.place(draw, was)
            if at < bound:
                return at
        return self.own.pick(number, purpose, bound)

    def shuffle(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return the twin's own order, with pinned cards in place."""
        return self.twin.mix((self.stream, number, purpose), items)

    def rank(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return an order of a pile or of the entries of a deal."""
        draw = self.stream, number, purpose
        if self.twin.has_mixed(draw):
            return self.twin.mix(draw, items)
        return self.twin.order(draw, items)
