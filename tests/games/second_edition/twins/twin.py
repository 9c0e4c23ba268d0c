"""Twin of a game: the same inputs with other secrets.

A twin is made for the knowledge of one seat, or for public knowledge. Everything unknown is dealt
differently, and secret choices of others are changed. It ends when the games may look different:
when the course differs from the first game's, an input becomes impossible, or the viewer learns
something that was dealt differently. Up to there, every byte sent must be the same.
"""

import random

import attrs

from protocol.common import events
from protocol.common.table import OpenAsk
from protocol.event import Event, hidden
from tests.games.second_edition.twins.chance import Contradiction, Draws, TwinChance
from tests.games.second_edition.twins.course import Course, followed
from tests.games.second_edition.twins.games import UNLOGGED, First, Given
from tests.games.second_edition.twins.knowledge import Learned, learned, told_since
from tests.games.second_edition.twins.table import OneTable
from tests.games.second_edition.twins.viewers import (
    DELAYED,
    Heir,
    Referee,
    Viewer,
)
from tests.games.twins.compare import Difference, Heard, difference

TO_A_MOMENT = 0.5
"""
Share of the twins that go on to a point where something is learned that was dealt differently.
"""
SECRETLY = 0.7
"""Probability that a secret choice is made differently."""


@attrs.frozen
class Comparison:
    """Comparison of a first game and one twin, as one viewer saw both."""

    viewer: str
    found: Difference | None


@attrs.frozen
class Knower:
    """Group of viewers with the same knowledge."""

    seat: int | None
    """Seat whose secrets the knower has; None for public knowledge."""
    is_heir: bool = False
    """True if the seat was given to the knower in the middle of the game."""

    def includes(self, viewer: Viewer) -> bool:
        is_referee = isinstance(viewer, Referee)
        is_heir = isinstance(viewer, Heir)
        return viewer.seat == self.seat and is_heir == self.is_heir and not is_referee


def knowers(first: First) -> list[Knower]:
    """Return all groups of viewers with different knowledge in a game."""
    seats = range(first.spec.players)
    heirs = [seat for seat in seats if told_since(first.records, seat) is not None]
    return [
        Knower(None),
        *(Knower(seat) for seat in seats),
        *(Knower(seat, is_heir=True) for seat in heirs if first.spec.is_persons(seat)),
    ]


@attrs.frozen(eq=False)
class Twin:
    """Twin that was played."""

    knower: Knower
    inputs: int
    """Number of inputs that were the same, with all their consequences."""
    moved: int
    """Number of cards and choices that differ from the first game."""
    comparisons: tuple[Comparison, ...]

    @property
    def leaks(self) -> tuple[Comparison, ...]:
        """Comparisons in which a viewer could tell the twin from the first game."""
        return tuple(compared for compared in self.comparisons if compared.found is not None)


def play_twin(first: First, knower: Knower, number: int) -> Twin:
    """Play a twin for a group of viewers.

    Args:
        knower: the viewers who must not be able to tell the twin from the first game.
        number: selects different secrets, and different knowledge to keep.
    """
    rng = first.spec.rng(f"twin {number} for {knower}")
    known, until = _pins(first, knower, rng)
    draws, course = Draws(), Course()
    # Those who know this, and those whose coming and going is logged. The referee is in neither:
    # no message to others tells that one is there.
    viewers = {
        name: viewer
        for name, viewer in first.spec.viewers().items()
        if knower.includes(viewer) or not isinstance(viewer, UNLOGGED)
    }
    chance = TwinChance(first.chances, known, f"{first.spec}/{knower}/{number}", draws)
    table = OneTable(
        first.pack, first.spec.scenario, chance, chance.make_chance, tuple(viewers.values())
    )
    with followed(course), draws.noted(), table:
        inputs, changed = _give_all(first, table, knower, until, course, rng)
        wrong = None if course.is_like(first.course) else course.misanswered(first.course)
        _look_on(first, table, inputs)
    compared = tuple(
        Comparison(name, _misanswered(wrong, heard) or difference(mine, heard))
        for name, theirs in viewers.items()
        if knower.includes(theirs)
        for mine in (_heard(first, first.viewers[name], inputs),)
        for heard in (_heard(first, theirs, inputs),)
    )
    return Twin(knower, inputs, chance.moved + changed, compared)


def _misanswered(requirement: str | None, heard: list[Heard]) -> Difference | None:
    """Return a difference if a public requirement was answered by something hidden."""
    if requirement is None:
        return None
    return Difference(len(heard), f"{requirement} is answered by what is hidden")


def _heard(first: First, viewer: Viewer, inputs: int) -> list[Heard]:
    """Return what a viewer was sent until the games may look different."""
    if inputs == len(first.inputs):
        return viewer.heard
    if first.spec.is_delayed and viewer.seat is None and isinstance(viewer, DELAYED):
        end = _end_of_delay(first, inputs)
        return [one for one in viewer.heard if one[0] < end]
    return viewer.heard[: viewer.marks[inputs]]


def _end_of_delay(first: First, inputs: int) -> float:
    """Return the virtual time at which delayed spectators may see that a twin has ended.

    A failure of the store is told to everybody at once, as it does not come from the game.
    """
    failing = [
        given.time
        for number, given in enumerate(first.inputs)
        if number == first.spec.failing and number >= inputs
    ]
    delay = first.spec.settings.spectators_delay_seconds
    return min([first.inputs[inputs].time + delay, first.seconds, *failing])


def _look_on(first: First, table: OneTable, inputs: int) -> None:
    """Advance the clock until delayed spectators have seen all they may see of an ended twin."""
    if not first.spec.is_delayed or inputs == len(first.inputs):
        return
    end = _end_of_delay(first, inputs)
    for number, given in enumerate(first.inputs):
        if number > table.acted and given.time < end:
            table.wait_until(given.time)
            table.act(number)
    table.wait_until(end)


def _pins(first: First, knower: Knower, rng: random.Random) -> tuple[dict[str, str], int]:
    """Return the cards that keep their places, and the input before which the twin ends.

    A twin keeps everything that is ever learned and runs to the end, or it runs until something is
    learned that it deals differently.
    """
    every = learned(first.records, knower.seat, _since(first, knower))
    # What a bot knows it acts on, in front of everybody.
    bots = [first.spec.players - 1] if first.spec.has_bot else []
    told_bots = [told for bot in bots for told in learned(first.records, bot)]
    later = _moments(every)
    moment = len(first.records)
    if knower.seat is None and first.spec.is_delayed:
        # The twin ends anywhere: delayed spectators must not see it at once.
        given = first.inputs[rng.randrange(len(first.inputs) // 4, len(first.inputs))]
        moment = given.first
    elif later and rng.random() < TO_A_MOMENT:
        moment = rng.choice(later[rng.choice(sorted(later))])
    pins = [told for told in (*every, *told_bots) if told.sequence < moment]
    until = sum(given.first <= moment for given in first.inputs) - 1
    if moment == len(first.records):
        until = len(first.inputs)
    return {told.handle: told.card for told in pins}, until


def _since(first: First, knower: Knower) -> int:
    """Return the sequence from which a group knows the secrets of its seat."""
    if not knower.is_heir or knower.seat is None:
        return 0
    return told_since(first.records, knower.seat) or 0


def _moments(every: list[Learned]) -> dict[str, list[int]]:
    """Return the sequences at which cards are learned, by kind: each kind needs twins."""
    found: dict[str, list[int]] = {}
    for told in every:
        if told.about not in {"own back", "slide"}:
            found.setdefault(told.about, []).append(told.sequence)
    return found


def _give_all(
    first: First,
    table: OneTable,
    knower: Knower,
    until: int,
    course: Course,
    rng: random.Random,
) -> tuple[int, int]:
    """Give inputs while the games are alike; return the numbers given and changed."""
    changed, since = 0, _since(first, knower)
    for number, given in enumerate(first.inputs[:until]):
        table.mark()
        table.wait_until(given.time)
        if not course.is_like(first.course):
            return number, changed
        course.next()
        table.act(number)
        happened = _same(table.room.ask, given)
        if happened is None:
            return number, changed
        is_unknown = given.origin != knower.seat or given.first < since
        if given.is_secret and is_unknown and rng.random() < SECRETLY:
            happened, is_other = _otherwise(table.room.ask, happened, rng)
            changed += is_other
        try:
            refusal = table.give(happened, given.origin, fails=number == first.spec.failing)
        except Contradiction:
            return number, changed
        if refusal != given.refusal or not course.is_like(first.course):
            return number, changed
        course.next()
    table.mark()
    if until == len(first.inputs):
        table.wait_until(first.seconds)
        if not course.is_like(first.course):
            return until - 1, changed
    return until, changed


def _same(ask: OpenAsk | None, given: Given) -> Event | None:
    """Return the answer with the same meaning in the twin, None if it is not offered.

    An Insane back bars choices of its owner, which shifts the ids of the others.
    """
    happened = given.happened
    if not isinstance(happened, events.Answered) or ask is None:
        return happened
    if happened.seat not in ask.questions:
        return None
    choices = ask.questions[happened.seat].value.choices
    offered = {(choice.text, choice.points): choice.choice_id for choice in choices}
    # Of two that say the same it is the one in the same place.
    offered |= {(c.text, c.points): c.choice_id for c in given.meant if c in choices}
    picks = tuple(offered.get((choice.text, choice.points)) for choice in given.meant)
    known = tuple(pick for pick in picks if pick is not None)
    return (
        events.Answered(happened.seat, happened.ask_id, hidden(known)) if known == picks else None
    )


def _otherwise(
    ask: OpenAsk | None, happened: Event, rng: random.Random
) -> tuple[events.Answered, bool]:
    """Return a different answer to the question, and False if there is none."""
    assert isinstance(happened, events.Answered) and ask is not None  # noqa: PT018 (one thing)
    choices = [choice.choice_id for choice in ask.questions[happened.seat].value.choices]
    others = [choice for choice in choices if choice not in happened.picks.value]
    if not others:
        return happened, False
    return events.Answered(happened.seat, happened.ask_id, hidden((rng.choice(others),))), True
