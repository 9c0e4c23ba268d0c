"""
Courses: a random game, and its twin in which two cards of one deck lie in each other's place.

Every question is answered alike. Whoever may not know that deck is sent the same until one of the
two cards comes into the open, or the owner of the deck cannot give an answer of the first game.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from content.games.cards.schema.pack import Pack
from protocol.common.asks import Question
from protocol.common.chance import SeededChance, Stream
from protocol.common.events import Asked
from protocol.common.table import Settings, Stage
from protocol.event import Event, Stored, cut, everything, read
from protocol.games.cards.table import CardsTable
from server.authoring.driver import Driver, PackLibrary, SeededEntropy
from server.kernel.batch_writer import Batch
from server.kernel.chance import Chance
from server.kernel.errors import Refused
from server.kernel.room import Room
from tests.games.cards.house_pack import house
from tests.games.cards.simulate import at_random, core
from tests.games.first_edition.twins.evenings import Dealt, as_it_falls
from tests.kernel.twins import blank

HOLDER, OTHER = 0, 1
"""The seat whose deck differs, and one that may not know it."""
BOXES: Mapping[str, tuple[Callable[[], Pack], str]] = {
    "casebook": (core, "casebook/one"),
    "house": (house, "house/evening"),
}
"""The packs from which games are played, each with its scenario."""
Answers = list[tuple[int, tuple[tuple[str, str], ...]]]
"""Who answered, and what was chosen: ids, and what is said of them."""


class Ended(Exception):
    """The twin cannot go on as the first game did."""


@attrs.define
class Swapped(Dealt):
    """Chance in which two cards of one investigator have each other's name."""

    who: str = attrs.field(kw_only=True)
    names: Mapping[str, str] = attrs.field(kw_only=True)

    def shuffle(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        names = self.names if purpose.endswith(f"/{self.who}") else {}
        mixed = self.chance.shuffle(number, purpose, [names.get(one, one) for one in items])
        return tuple(names.get(one, one) for one in mixed)


@attrs.define(eq=False)
class Course(Driver):
    """A game that is answered at random, or as another one was."""

    given: Answers = attrs.field(kw_only=True, factory=list)
    """The answers of the first game that are left; nothing in a first game."""
    is_twin: bool = attrs.field(kw_only=True, default=False)
    own: random.Random = attrs.field(kw_only=True)
    answered: Answers = attrs.field(factory=list, init=False)
    stored: list[Stored] = attrs.field(factory=list, init=False)

    @property
    def game(self) -> CardsTable:
        game = self.room.table.game
        assert isinstance(game, CardsTable)
        return game

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        # Of two that say the same it is the one about the same pieces.
        said = {one.choice_id: repr((one.text, one.group, one.points)) for one in question.choices}
        if not self.is_twin:
            picks = at_random(question, self.own)
            self.answered.append((seat, tuple((pick, said[pick]) for pick in picks)))
            return picks
        if not self.given or self.given[0][0] != seat:
            raise Ended
        _, words = self.given.pop(0)
        left, found = dict(said), []
        for before, word in words:
            fitting = [one for one, text in left.items() if text == word]
            # Of two that are alike it is the one in the same place.
            pick = before if before in fitting else next(iter(fitting), None)
            if pick is None:
                raise Ended
            del left[pick]
            found.append(pick)
        return tuple(found)

    def after_batch(self, event: Event, origin: int, batch: Batch) -> None:
        del event, origin
        self.stored += batch.stored

    def play(self, inputs: int) -> "Course":
        """Play the game up to a number of inputs, or to its end."""
        try:
            self.open()
            for _ in range(inputs):
                if self.room.table.room.stage is Stage.OVER:
                    break
                self.step()
        except (Ended, Refused):
            # The holder cannot choose so many cards, or not this one.
            assert self.is_twin
        return self


def course(
    seed: int,
    inputs: int,
    *,
    box: str = "casebook",
    swapped: tuple[str, str, str] | None = None,
    given: Answers | None = None,
    **settings: Any,
) -> Course:
    """Return a game that was played; with two swapped cards of an investigator it is a twin."""

    def make_chance(_stream: Stream, key: bytes) -> Chance:
        chance = SeededChance(key)
        if swapped is None:
            return chance
        who, one, other = swapped
        return Swapped(chance, as_it_falls, {}, who=who, names={one: other, other: one})

    packed, scenario = BOXES[box]
    pack = packed()
    room = Room(f"room-{seed}", PackLibrary(pack), SeededEntropy(seed), make_chance=make_chance)
    return Course(
        room,
        random.Random(seed),
        2,
        pack,
        scenario,
        settings=Settings(least_seconds=0, takebacks=False, **settings),
        given=list(given or ()),
        is_twin=swapped is not None,
        own=random.Random(f"answers {seed}"),
    ).play(inputs)


def told_apart(
    seed: int, pairs: int, inputs: int, box: str = "casebook", **settings: Any
) -> list[str]:
    """
    Return where a game and some twins differ for those who may not know the deck, or a spectator.

    Each twin has two other cards of the holder's deck in each other's place.
    """
    first = course(seed, inputs, box=box, **settings)
    who = next(one.id for one in first.game.investigators.values() if one.seat == HOLDER)
    (deck, *_) = [one.cards for one in BOXES[box][0]().decks.values() if one.investigator == who]
    rng, found = random.Random(f"pairs {seed}"), []
    for _ in range(pairs):
        one = rng.choice(sorted(deck))
        # As many copies, so that the deck has as many cards of each name.
        other = rng.choice(
            [card for card in sorted(deck) if deck[card] == deck[one] and card != one]
        )
        swapped = (who, one, other)
        second = course(seed, inputs, box=box, swapped=swapped, given=first.answered, **settings)
        for seat in (OTHER, None):
            at = _first_difference(first, second, seat)
            if at is not None and not _may_differ(first, second, at, (one, other)):
                found.append(f"{one} and {other}, record {at}: {_event(second, at)}")
    return found


def _first_difference(first: Course, second: Course, seat: int | None) -> int | None:
    for at, pair in enumerate(zip(first.stored, second.stored, strict=False)):
        mine, theirs = (cut(one, seat) for one in pair)
        openings = [[opening.value for _, opening in one.openings] for one in (mine, theirs)]
        if blank(mine.public) != blank(theirs.public) or openings[0] != openings[1]:
            return at
    return None


def _may_differ(first: Course, second: Course, at: int, cards: tuple[str, str]) -> bool:
    """
    Return whether the games may differ from a record on. C-SECRET-31.

    One of the two cards is shown there; or, under *who can*, a window asks in one of the games, and
    the question of a turn is also a window of the others.
    """
    both = (first.stored[at].public, second.stored[at].public)
    if any(card.encode() in public for card in cards for public in both):
        return True
    asked = [one for one in (_event(first, at), _event(second, at)) if isinstance(one, Asked)]
    is_strict = first.room.table.room.settings.strict_windows
    return not is_strict and any(one.kind or one.rule == "C-BTURN-2" for one in asked)


def _event(game: Course, at: int) -> Event:
    return read(game.room.room_id, everything(game.stored[at])).event
