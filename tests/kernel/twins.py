"""
Twins: two games that differ only in secrets that a viewer may not know.

The first game is any recorded one. Its twin is given the same inputs, but its chance is a
`TwinChance`: public outcomes and handles come from the first game's log, and each shuffle deals the
cards that the viewer does not know in another order. The viewer must be sent the same in both, once
`blank` has removed commitments and salts.

An *oracle* names the handles whose cards the viewer may learn from a record. It is written from the
rulebook and never from the declarations of the events.

A *pin* keeps a card that the viewer learns in its place. Compare twins in two modes, since each
misses some leaks. A twin with all pins is compared to the end. For each moment at which the viewer
learns something (`moments`), a twin with only the earlier pins is compared up to that moment.
"""

import functools
import random
import typing
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import attrs

from protocol import codec
from protocol.common.chance import Stream
from protocol.common.events import (
    Arranged,
    Disclosure,
    Picked,
    Rolled,
    RoomClosed,
    RoomOpened,
    ShareOpened,
    Shuffled,
    ShuffledSome,
)
from protocol.common.table import Handle, Table, fold
from protocol.event import EACH, Cut, Event, Record, Stored, everything, kinds, read
from server.kernel.batch_writer import HANDLE_BYTES
from server.kernel.chance import Chance

Oracle = Callable[[Record, Table, int | None], Iterable[tuple[Handle, str]]]
"""
Function that names the handles whose cards a viewer (a seat, or None) learns from a record, by the
rulebook. Its arguments are the record with everything open, the table before the record, and the
viewer.
"""


class Contradiction(Exception):
    """The twin can no longer deal the cards that the viewer knows."""


@attrs.frozen
class Pin:
    """A card that the viewer learns."""

    sequence: int
    """Sequence of the record that reveals the card to the viewer."""
    handle: Handle
    card: str


def records_of(log: Sequence[Stored]) -> Sequence[Record]:
    """Return the records of a log with everything open, cached for the last few logs."""
    return _records_of(tuple(log))


@functools.lru_cache(maxsize=8)
def _records_of(log: tuple[Stored, ...]) -> Sequence[Record]:
    first = read("", Cut(log[0].public, ())).event
    assert isinstance(first, RoomOpened)
    return tuple(read(first.room_id, everything(stored)) for stored in log)


def learned(log: Sequence[Stored], seat: int | None, oracle: Oracle) -> list[Pin]:
    """Return what a viewer legitimately learns in a game, in order."""
    pins = []
    table = Table()
    for record in records_of(log):
        for handle, card in oracle(record, table, seat):
            pins.append(Pin(record.sequence, handle, card))
        table = fold(table, record)
    return pins


def moments(pins: Iterable[Pin]) -> list[int]:
    """Return the sequences at which something is learned, ascending and distinct."""
    return sorted({pin.sequence for pin in pins})


def before(pins: Iterable[Pin], moment: int) -> list[Pin]:
    """Return the pins that were learned before a moment."""
    return [pin for pin in pins if pin.sequence < moment]


# Chance ------------------------------------------------------------------------------------


@attrs.frozen
class _Mix:
    """One shuffle of the first game."""

    happened: Shuffled
    sources: tuple[tuple[Handle, str], ...]
    """The cards that were in the pile before, with their earlier handles."""


class TwinChance:
    """The entropy and the chance of a twin.

    Give it to the room as `entropy`, and its `make_chance` as the room's `make_chance`.
    """

    def __init__(self, first_log: Sequence[Stored], pins: Iterable[Pin], seed: int) -> None:
        """Read the public outcomes of the first game.

        Args:
            first_log: log of the first game, with all openings.
            pins: cards that stay where they are.
            seed: seed of the permutations of all other cards.
        """
        self._random = random.Random(seed)
        self._outcomes: dict[tuple[Stream, str, int], Rolled | Picked] = {}
        self._mixes: dict[tuple[Stream, str, int], _Mix] = {}
        self._moves: list[_Mix | dict[Handle, Handle]] = []
        """Each mix, and for each arrangement the old handle of each new one, in order."""
        self._arranged: deque[Handle] = deque()
        self._read(first_log)
        self._pinned = self._close({pin.handle: pin.card for pin in pins})
        self._handles: deque[Handle] = deque()
        self.moved = 0
        """Number of cards that lie elsewhere than in the first game."""

    def _read(self, log: Sequence[Stored]) -> None:
        table = Table()
        for record in records_of(log):
            happened = record.event
            if isinstance(happened, Rolled | Picked):
                self._outcomes[happened.stream, happened.purpose, happened.number] = happened
            elif isinstance(happened, Shuffled):
                assert table.game is not None
                lying = table.game.piles.get(happened.pile, ())
                if isinstance(happened, ShuffledSome):
                    lying = tuple(lying[place] for place in happened.places)
                mix = _Mix(happened, tuple((h, table.game.card_of(h)) for h in lying))
                self._mixes[happened.stream, happened.purpose, happened.number] = mix
                self._moves.append(mix)
            elif isinstance(happened, Arranged):
                assert table.game is not None
                lying = tuple(table.game.piles[happened.pile][at] for at in happened.places)
                # No two cards of a deck are the same.
                was = {table.game.card_of(handle): handle for handle in lying}
                pairs = zip(happened.handles, happened.order.value, strict=True)
                self._moves.append({handle: was[card] for handle, card in pairs})
                self._arranged.extend(happened.handles)
            table = fold(table, record)

    def _close(self, pinned: dict[Handle, str]) -> dict[Handle, str]:
        """Return the pins, with the handles under which pinned cards lay before each shuffle."""
        for mix in reversed(self._moves):
            if isinstance(mix, dict):
                pinned |= {old: pinned[new] for new, old in mix.items() if new in pinned}
                continue
            # The pile's own earlier cards alone: what else came into it was open to all.
            needed = Counter(pinned[h] for h in mix.happened.handles if h in pinned)
            needed.subtract(card for handle, card in mix.sources if handle in pinned)
            for handle, card in mix.sources:
                if handle not in pinned and needed[card] > 0:
                    pinned[handle] = card
                    needed[card] -= 1
        return pinned

    def draw(self, count: int) -> bytes:
        """Return the first game's handles where it created some, else random bytes."""
        if count == HANDLE_BYTES and self._handles:
            return bytes.fromhex(self._handles.popleft())
        if count == HANDLE_BYTES and self._arranged:
            return bytes.fromhex(self._arranged.popleft())
        return self._random.randbytes(count)

    def make_chance(self, stream: Stream, _key: bytes) -> Chance:
        return _OfStream(self, stream)

    def outcome(self, number: int, purpose: str, stream: Stream) -> Rolled | Picked | None:
        """Return the first game's roll or pick of this number, if its purpose is the same."""
        return self._outcomes.get((stream, purpose, number))

    def below(self, bound: int) -> int:
        """Return a random number of the twin's own."""
        return self._random.randrange(bound)

    def mix(
        self, number: int, purpose: str, items: Sequence[str], stream: Stream
    ) -> tuple[str, ...]:
        """Return an order in which only pinned cards are where the first game had them."""
        known = self._mixes.get((stream, purpose, number))
        self._handles.clear()
        if known is None:
            return self._shuffled(items)
        handles, first = known.happened.handles, known.happened.order.value
        if len(handles) != len(items):
            return self._shuffled(items)
        self._handles.extend(handles)
        left = Counter(items)
        left.subtract(self._pinned[handle] for handle in handles if handle in self._pinned)
        if min(left.values(), default=0) < 0:
            raise Contradiction(f"draw {number} has not the cards that the viewer knows")
        free = deque(self._shuffled(left.elements()))
        order = tuple(self._pinned.get(handle) or free.popleft() for handle in handles)
        self.moved += sum(1 for mine, theirs in zip(order, first, strict=True) if mine != theirs)
        return order

    def _shuffled(self, items: Iterable[str]) -> tuple[str, ...]:
        order = sorted(items)
        self._random.shuffle(order)
        return tuple(order)


@attrs.frozen
class _OfStream:
    """The chance of one stream."""

    twin: TwinChance
    stream: Stream

    def roll(self, number: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Return the dice of the first game."""
        known = self.twin.outcome(number, purpose, self.stream)
        if isinstance(known, Rolled) and (known.sides, len(known.faces)) == (sides, count):
            return known.faces
        return tuple(self.twin.below(sides) for _ in range(count))

    def pick(self, number: int, purpose: str, bound: int) -> int:
        """Return the pick of the first game."""
        known = self.twin.outcome(number, purpose, self.stream)
        if isinstance(known, Picked) and known.bound == bound:
            return known.result
        return self.twin.below(bound)

    def shuffle(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return an order of the twin's own, except for pinned cards."""
        return self.twin.mix(number, purpose, items, self.stream)

    def rank(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return an order of the twin's own, except for pinned cards."""
        return self.twin.mix(number, purpose, items, self.stream)


# Comparing ---------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def blank(public: bytes) -> bytes:
    """Blank commitments, salts and signatures in the public bytes of a record; sizes stay.

    A share is signed together with the commitments to the seeds, which are random. The seeds that a
    finished game opens are blanked with their salts: they reveal the whole deal to everybody, and
    no secret follows them.
    """
    plain = codec.unpack(public)
    assert isinstance(plain, tuple)
    sequence, time, origin, tag, fields, secrets = plain
    assert isinstance(tag, str)
    assert isinstance(fields, tuple)
    assert isinstance(secrets, tuple)
    kind = kinds()[tag]
    closes = kind is RoomClosed
    shown = tuple(
        b"\0" * len(value)
        if kind is ShareOpened and name in _SIGNED and isinstance(value, bytes)
        else _blank_disclosures(value, hint, closes=closes)
        for value, (name, hint) in zip(fields, _public_hints(kind).items(), strict=True)  # type: ignore[arg-type]  # a class has a hash
    )
    shut = tuple(_shut(secret) for secret in secrets)
    return codec.pack((sequence, time, origin, tag, shown, shut))


_SIGNED = frozenset({"before", "signature"})
"""Fields of a share that depend on the commitments to seeds."""


@functools.cache
def _public_hints(kind: type[Event]) -> Mapping[str, Any]:
    """Return the types of the public parts of an event's fields."""
    hints = typing.get_type_hints(kind)
    return {
        field.name: hints[field.name] if "to" not in field.metadata else tuple[int, ...]
        for field in attrs.fields(kind)  # type: ignore[arg-type]  # every Event is attrs
        if field.metadata.get("to") in (None, EACH)
    }


def _shut(secret: Any) -> codec.Plain:
    audience, commitment = secret
    return audience, b"\0" * len(commitment)


def _blank_disclosures(plain: Any, hint: Any, *, closes: bool) -> Any:
    if hint is Disclosure:
        sequence, slot, salt, value = plain
        return sequence, slot, b"\0" * len(salt), b"\0" * len(value) if closes else value
    if typing.get_origin(hint) is tuple and Disclosure in typing.get_args(hint):
        return tuple(_blank_disclosures(one, Disclosure, closes=closes) for one in plain)
    return plain


@attrs.frozen
class Difference:
    """The place at which two viewers were sent different bytes."""

    sequence: int
    reason: str


def compare(
    first: Sequence[Cut], second: Sequence[Cut], *, until: int | None = None
) -> Difference | None:
    """
    Return the first difference between what two viewers were sent, or None.

    Args:
        until: compare only what comes before this sequence.
    """
    end = max(len(first), len(second)) if until is None else until
    for at in range(end):
        if at >= len(first) or at >= len(second):
            return Difference(at, "one of them ends here")
        mine, theirs = first[at], second[at]
        if mine.public != theirs.public and blank(mine.public) != blank(theirs.public):
            return Difference(at, f"{_line(mine)} and {_line(theirs)}")
        if _values(mine) != _values(theirs):
            return Difference(at, f"other secrets in {_line(mine)}")
    return None


def _values(shown: Cut) -> list[tuple[int, bytes]]:
    return [(slot, opening.value) for slot, opening in shown.openings]


def _line(shown: Cut) -> str:
    plain = codec.unpack(shown.public)
    assert isinstance(plain, tuple)
    return f"{plain[3]!r} {plain[4]!r}"
