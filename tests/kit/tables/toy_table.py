"""The table of the toy, its events, and its content. The rules are in `tests.kit.tables.toy`."""

from collections.abc import Mapping
from typing import Any

import attrs

from protocol import codec
from protocol.common.events import Disclosure
from protocol.common.padded import Padded
from protocol.common.table import (
    GameEnd,
    GameEvent,
    GameTable,
    Handle,
    Legacy,
    Score,
    register_game,
)
from protocol.common.text import Text
from protocol.event import EACH, EVERYBODY, Sealed, event, secret

RULESET = "toy"
PLAYER = "player"
"""The only role."""
PIECES = ("bear", "fox", "hare", "mole", "owl")
WEATHERS = ("fog", "hail", "rain", "sun")
KINDS = (
    *("ambush", "ballot", "errand", "flash", "gust", "march", "moot", "motion"),
    *("packing", "poll", "quiet", "storm", "urn"),
)
MOTION_SECONDS = 20
RIDDLE_SECONDS = 60
BRIGHT = ("omen/ash", "omen/bone")

ABOUT = Text("toy/about")
PROMPT = Text("toy/prompt")


def a_deck(*kinds: str, count: int = 18) -> tuple[str, ...]:
    """Return `count` cards that cycle through these kinds, each with an id of its own."""
    return tuple(f"card/{kinds[n % len(kinds)]}/{n:02}" for n in range(count))


@attrs.frozen
class Content:
    """The content that the rules of the toy read."""

    rounds: int = 3
    deck: tuple[str, ...] = a_deck(*KINDS)
    omens: tuple[str, ...] = tuple(
        f"omen/{word}" for word in ("ash", "bone", "crow", "dust", "elm")
    )
    faults: tuple[str, ...] = ()
    """Planted faults, such as `trap`, `endless`, `late`, `snare`, `misdealt` or `leak/field`."""
    has_wishes: bool = False
    """
    True if each seat prepares a wish before the start, and the game repeats the wish to the seat at
    night.
    """
    has_hands: bool = False
    """True if each piece knows its facedown cards, and may look at the top of the deck."""
    most_each: tuple[int, ...] = ()
    """Most pieces of a seat, by the number of seats; empty for as many as it has to play."""
    is_hushed: bool = False
    """True if nobody may talk by day."""
    edition: str = ""
    """
    Version of the rules: empty for today's. Others are `early`, `renamed`, `tail`, `turned`,
    `wordy` and `broken`.
    """


# The table ---------------------------------------------------------------------------------


@attrs.frozen
class Person:
    """One piece with its cards and points."""

    piece: str
    seat: int
    faceup: tuple[tuple[Handle, str], ...] = ()
    points: int = 0
    omen_handle: Handle = ""
    omen: Sealed[str] | None = None


@attrs.frozen
class ToyTable(GameTable):
    """The pieces of the toy."""

    lapses = ("phase", "round", "weather")
    has_settings = ("takebacks", "stops", "window_seconds", "least_seconds")

    people: Mapping[str, Person] = attrs.field(factory=dict)
    weather: str = ""
    round_number: int = 0
    done: tuple[str, ...] = ()
    """Pieces that had their turn in this round."""
    is_laid_out: bool = False
    result: str = ""
    dreams: Mapping[int, Sealed[str]] = attrs.field(factory=dict)
    rumours: tuple[Sealed[str], ...] = ()
    legacy: Legacy | None = None
    own: Mapping[int, Sealed[Padded]] = attrs.field(factory=dict)

    def came_out(self) -> GameEnd | None:
        """Return the result: nobody wins without a point."""
        if not self.result:
            return None
        points = sum(person.points for person in self.people.values())
        scores = (Score("score/points", PLAYER, points),)
        return GameEnd((PLAYER,) if points else (), self.round_number, scores)

    def left_over(self) -> Legacy | None:
        """Return the points of all games of the campaign so far."""
        return self.legacy

    def left_to_seats(self) -> Mapping[int, Sealed[Padded]]:
        """Return the last dream of each seat."""
        return self.own

    def with_person(self, piece: str, **changes: Any) -> "ToyTable":
        """Return the table with one person changed."""
        person = attrs.evolve(self.people[piece], **changes)
        return attrs.evolve(self, people={**self.people, piece: person})

    def hand(self, piece: str) -> tuple[Handle, ...]:
        """Return the facedown cards of a piece."""
        return self.piles.get(facedown(piece), ())


def facedown(piece: str) -> str:
    """Return the name of a piece's facedown cards among the piles."""
    return f"facedown/{piece}"


register_game(RULESET, ToyTable)


# Events ------------------------------------------------------------------------------------


@event("toy/joined")
class Joined(GameEvent):
    """A piece takes part."""

    piece: str
    seat: int

    def fold(self, table: ToyTable) -> ToyTable:
        person = Person(self.piece, self.seat)
        return attrs.evolve(table, people={**table.people, self.piece: person})


@event("toy/laid_out")
class LaidOut(GameEvent):
    """The setup is complete."""

    def fold(self, table: ToyTable) -> ToyTable:
        return attrs.evolve(table, is_laid_out=True)


@event("toy/weather_set")
class WeatherSet(GameEvent):
    """The weather changed."""

    weather: str

    def fold(self, table: ToyTable) -> ToyTable:
        return attrs.evolve(table, weather=self.weather)


@event("toy/dealt")
class Dealt(GameEvent):
    """The top card of the deck joined the facedown cards of a piece; it keeps its handle."""

    piece: str
    handle: Handle

    def fold(self, table: ToyTable) -> ToyTable:
        return table.drawn("deck", self.handle).put(facedown(self.piece), self.handle)


@event("toy/omen_dealt")
class OmenDealt(GameEvent):
    """A piece was given its private card."""

    piece: str
    handle: Handle
    omen: Sealed[str] = secret(to="piece")

    def fold(self, table: ToyTable) -> ToyTable:
        table = table.drawn("omens", self.handle)
        return table.with_person(self.piece, omen_handle=self.handle, omen=self.omen)


@event("toy/omen_misdealt")
class OmenMisdealt(GameEvent):
    """A planted fault: the private card is declared to somebody else."""

    piece: str
    handle: Handle
    other: int
    omen: Sealed[str] = secret(to="other")

    def fold(self, table: ToyTable) -> ToyTable:
        table = table.drawn("omens", self.handle)
        return table.with_person(self.piece, omen_handle=self.handle, omen=self.omen)


@event("toy/omen_shown")
class OmenShown(GameEvent):
    """A piece showed its private card to everybody."""

    piece: str
    opened: Disclosure

    def fold(self, table: ToyTable) -> ToyTable:
        omen = table.people[self.piece].omen
        assert omen is not None
        value = codec.decode(self.opened.value, str)
        return table.with_person(self.piece, omen=omen.seen_by((EVERYBODY,)).opened(value))


@event("toy/omen_burned")
class OmenBurned(GameEvent):
    """A piece put its private card back; the omens are mixed next."""

    piece: str

    def fold(self, table: ToyTable) -> ToyTable:
        handle = table.people[self.piece].omen_handle
        return table.with_person(self.piece, omen_handle="", omen=None).put("omens", handle)


@event("toy/turned_up")
class TurnedUp(GameEvent):
    """A facedown card was turned up."""

    piece: str
    handle: Handle
    card: str

    def fold(self, table: ToyTable) -> ToyTable:
        faceup = (*table.people[self.piece].faceup, (self.handle, self.card))
        table = table.with_person(self.piece, faceup=faceup)
        return table.drawn(facedown(self.piece), self.handle)


def _without(table: ToyTable, piece: str, handle: Handle) -> ToyTable:
    left = tuple(card for card in table.people[piece].faceup if card[0] != handle)
    return table.with_person(piece, faceup=left)


@event("toy/turned_down")
class TurnedDown(GameEvent):
    """A faceup card was turned down again; the facedown ones are mixed next."""

    piece: str
    handle: Handle

    def fold(self, table: ToyTable) -> ToyTable:
        return _without(table, self.piece, self.handle).put(facedown(self.piece), self.handle)


@event("toy/discarded")
class Discarded(GameEvent):
    """A faceup card went back under the deck, which is mixed next."""

    piece: str
    handle: Handle

    def fold(self, table: ToyTable) -> ToyTable:
        return _without(table, self.piece, self.handle).put("deck", self.handle)


@event("toy/scored")
class Scored(GameEvent):
    """A piece has more points."""

    piece: str
    points: int

    def fold(self, table: ToyTable) -> ToyTable:
        points = table.people[self.piece].points + self.points
        return table.with_person(self.piece, points=points)


@event("toy/bids_shown")
class BidsShown(GameEvent):
    """All bids are shown."""

    bids: tuple[tuple[int, str], ...]

    def fold(self, table: ToyTable) -> ToyTable:
        return table


@event("toy/rumoured")
class Rumoured(GameEvent):
    """Some seats learnt the top card of the deck."""

    seats: tuple[int, ...]
    handle: Handle
    card: Sealed[str] = secret(to="seats")

    def fold(self, table: ToyTable) -> ToyTable:
        return attrs.evolve(table, rumours=(*table.rumours, self.card))


@event("toy/dreamt")
class Dreamt(GameEvent):
    """All seats dreamt, each a secret of its own."""

    dreams: Mapping[int, Sealed[str]] = secret(to=EACH)

    def fold(self, table: ToyTable) -> ToyTable:
        return attrs.evolve(table, dreams=self.dreams)


@event("toy/turn_ended")
class TurnEnded(GameEvent):
    """A piece had its turn."""

    piece: str

    def fold(self, table: ToyTable) -> ToyTable:
        return attrs.evolve(table, done=(*table.done, self.piece))


@event("toy/round_ended")
class RoundEnded(GameEvent):
    """The night is over."""

    def fold(self, table: ToyTable) -> ToyTable:
        return attrs.evolve(table, done=(), round_number=table.round_number + 1)


@event("toy/ended")
class Ended(GameEvent):
    """The game is over."""

    result: str

    def fold(self, table: ToyTable) -> ToyTable:
        return attrs.evolve(table, result=self.result)


@event("toy/kept")
class Kept(GameEvent):
    """The game is over; its state for the next game."""

    legacy: Legacy
    own: Mapping[int, Sealed[Padded]] = secret(to=EACH)

    def fold(self, table: ToyTable) -> ToyTable:
        return attrs.evolve(table, legacy=self.legacy, own=self.own)


@event("toy/leaked")
class Leaked(GameEvent):
    """A planted leak: a hidden card in a public field."""

    card: str

    def fold(self, table: ToyTable) -> ToyTable:
        return table
