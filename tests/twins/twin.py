"""
The twin of a game: the same inputs, and other secrets.

A twin is made for those who know what one seat knows, or what everybody knows. What they do not know
is dealt otherwise, and what others chose in secret is chosen otherwise. The twin ends where the
games may look different: where the course parts from that of the first game, where an input makes no
sense any more, or where the viewer learns something that was dealt otherwise. Up to there every byte
that they are sent must be the same.
"""

import random
from collections.abc import Mapping

import attrs

from protocol.common import events as on
from protocol.common.table import OpenAsk
from protocol.event import Event, hidden
from tests.twins.chance import Contradiction, Draws, TwinChance
from tests.twins.compare import Difference, difference
from tests.twins.course import Course, followed
from tests.twins.games import First, Given
from tests.twins.knowledge import Learned, learned
from tests.twins.table import OneTable
from tests.twins.viewers import Asker, Exporter, Viewer

SECRETLY = 0.7
"""How often what was chosen in secret is chosen otherwise."""


@attrs.frozen
class Comparison:
    """A first game against one twin, as one viewer saw both."""

    viewer: str
    found: Difference | None
    inputs: int
    """How far they were compared."""


@attrs.frozen(eq=False)
class Twin:
    """A twin that was played."""

    seat: int | None
    inputs: int
    """How many inputs were the same, with all that followed."""
    moved: int
    """How many cards and choices are not as in the first game."""
    comparisons: tuple[Comparison, ...]

    @property
    def leaks(self) -> tuple[Comparison, ...]:
        """The viewers who could tell the twin from the first game."""
        return tuple(compared for compared in self.comparisons if compared.found is not None)


def play_twin(first: First, seat: int | None, number: int) -> Twin:
    """
    Play a twin for those who know what a seat knows, or everybody for None.

    Args:
        first: the first game.
        seat: whose secrets stay as they are.
        number: of the twin; each has other secrets, and other things that they know.
    """
    rng = first.spec.rng(f"twin {number} for {seat}")
    known, until = _pins(first, seat, rng)
    draws, course, viewers = Draws(), Course(), _needed(first.spec.viewers(), seat)
    chance = TwinChance(first.chances, known, f"{first.spec}/{seat}/{number}", draws)
    table = OneTable(
        first.pack, first.spec.scenario, chance, chance.make_chance, tuple(viewers.values())
    )
    with followed(course), draws.noted(), table:
        inputs, changed = _give_all(first, table, seat, until, course, rng)
    is_whole = inputs == len(first.inputs)
    comparisons = []
    for name, theirs in viewers.items():
        if theirs.seat == seat:
            mine = first.viewers[name]
            one = mine.heard if is_whole else mine.heard[: mine.marks[inputs]]
            other = theirs.heard if is_whole else theirs.heard[: theirs.marks[inputs]]
            comparisons.append(Comparison(name, difference(one, other), inputs))
    return Twin(seat, inputs, chance.moved + changed, tuple(comparisons))


def _needed(viewers: Mapping[str, Viewer], seat: int | None) -> dict[str, Viewer]:
    """Return those who know what this seat knows, and those whose coming and going is logged."""
    return {
        name: viewer
        for name, viewer in viewers.items()
        if viewer.seat == seat or not isinstance(viewer, Exporter | Asker)
    }


def _pins(first: First, seat: int | None, rng: random.Random) -> tuple[dict[str, str], int]:
    """
    Return the cards that stay where they are, and before which input the twin ends.

    Half of the twins go on to the end, with all that is ever learned; the others go on until
    something is learned that is dealt otherwise in them.
    """
    every = learned(first.records, seat)
    # What a bot knows it acts on, in front of everybody.
    bots = [first.spec.players - 1] if first.spec.has_bot else []
    told_bots = [told for bot in bots for told in learned(first.records, bot)]
    later = _moments(every)
    moment = len(first.records)
    if later and rng.random() < 0.5:
        moment = rng.choice(later[rng.choice(sorted(later))])
    pins = [told for told in (*every, *told_bots) if told.sequence < moment]
    until = sum(given.first <= moment for given in first.inputs) - 1
    if moment == len(first.records):
        until = len(first.inputs)
    return {told.handle: told.card for told in pins}, until


def _moments(every: list[Learned]) -> dict[str, list[int]]:
    """Return when something is learned, by what it is: each kind shall have its twins."""
    found: dict[str, list[int]] = {}
    for told in every:
        if told.about not in {"own back", "slide"}:
            found.setdefault(told.about, []).append(told.sequence)
    return found


def _give_all(
    first: First,
    table: OneTable,
    seat: int | None,
    until: int,
    course: Course,
    rng: random.Random,
) -> tuple[int, int]:
    """Give inputs as long as all goes as in the first game; return how many, and how many changed."""
    changed = 0
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
        if given.is_secret and given.origin != seat and rng.random() < SECRETLY:
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
    """
    Return an answer that means the same in the twin, or None where it is not offered.

    An Insane back bars choices of its owner; then the others have other ids.
    """
    happened = given.happened
    if not isinstance(happened, on.Answered) or ask is None:
        return happened
    if happened.seat not in ask.questions:
        return None
    offered = {
        (choice.text, choice.points): choice.choice_id
        for choice in ask.questions[happened.seat].value.choices
    }
    picks = tuple(offered.get((choice.text, choice.points)) for choice in given.meant)
    known = tuple(pick for pick in picks if pick is not None)
    return on.Answered(happened.seat, happened.ask_id, hidden(known)) if known == picks else None


def _otherwise(
    ask: OpenAsk | None, happened: Event, rng: random.Random
) -> tuple[on.Answered, bool]:
    """Return another answer to what is asked, and whether there is one."""
    assert isinstance(happened, on.Answered) and ask is not None  # noqa: PT018 (one thing)
    choices = [choice.choice_id for choice in ask.questions[happened.seat].value.choices]
    others = [choice for choice in choices if choice not in happened.picks.value]
    if not others:
        return happened, False
    return on.Answered(happened.seat, happened.ask_id, hidden((rng.choice(others),))), True
