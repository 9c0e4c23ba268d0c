"""
Weighing: bots of any game choose among offers by points.

A game gives each choice its points: `Scale` holds the judges. `Past` reads off the log what came of
earlier choices, so that a bot has no state of its own, and one that takes over a seat plays like
one that had it from the start. `pick_by_worth` makes an answer of the points.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

import attrs

from client.model.tables import TableView
from protocol.common import events
from protocol.common.asks import Choice, Point, Question
from protocol.event import Event

END_OF_TURN = 10.0
"""Worth in points of ending, stopping, staying, accepting; nothing worth less is done."""
SAME_IN_A_TURN = 3
"""Times that one thing is done in one turn before anything else is better."""
MEMORY = 800
"""Most records that a bot looks back on."""
_NEAR = 4.0
"""Choices whose worth differs by less are equally good, so that bots vary."""
_UNTRIED = 6.0
"""Points added to an offer of the story that was never chosen."""

Key = tuple[str, tuple[Point, ...]]
"""Identity of a choice across questions: the subject of its words, and its points."""


def key_of(choice: Choice) -> Key:
    """Return the identity of a choice across questions."""
    return choice.text.subject, choice.points


def kind_of(choice: Choice) -> str:
    """Return the group of a choice and the kind of the first thing it points at, if any."""
    return f"{choice.group}/{choice.points[0].kind if choice.points else ''}"


@attrs.frozen
class Past:
    """The viewer's choices within the bot's memory, and what came of them."""

    in_vain: Mapping[Key, int]
    """Times that each thing was tried and led nowhere."""
    this_turn: Mapping[Key, int]
    """Times that each thing was done since the present turn began."""
    ever: Mapping[Key, int]
    """Times that each thing was done at all."""
    asked: Sequence[tuple[int, Question]]
    """The viewer's questions, oldest first, each with the sequence of its record."""
    last_gain: int
    """Sequence of the last gain; -1 for none."""

    @classmethod
    def of(
        cls, view: TableView, gains: tuple[type[Event], ...], turn: type[Event] | tuple[()] = ()
    ) -> "Past":
        """
        Read it off the log.

        Args:
            view: the viewer's table.
            gains: the kinds of events that show that something led somewhere.
            turn: the kind with which a turn begins.
        """
        tried: list[tuple[int, Key]] = []
        gained: list[int] = []
        began = -1
        asked: list[tuple[int, Question]] = []
        by_ask: dict[int, Question] = {}
        for record in view.records[-MEMORY:]:
            event = record.event
            if isinstance(event, events.Asked):
                mine = event.questions.get(view.seat) if view.seat is not None else None
                if mine is not None and mine.is_open:
                    by_ask[event.ask_id] = mine.value
                    asked.append((record.sequence, mine.value))
            elif isinstance(event, events.Answered):
                question = by_ask.get(event.ask_id)
                if question is not None and event.picks.is_open:
                    picks = event.picks.value
                    picked = (one for one in question.choices if one.choice_id in picks)
                    tried += ((record.sequence, key_of(choice)) for choice in picked)
            elif isinstance(event, turn):
                began = record.sequence
            elif isinstance(event, gains):
                gained.append(record.sequence)
        return cls(
            Counter(key for at, key in tried if not _led_on(at, tried, gained)),
            Counter(key for at, key in tried if at > began),
            Counter(key for _, key in tried),
            asked,
            gained[-1] if gained else -1,
        )


def _led_on(at: int, tried: Sequence[tuple[int, Key]], gains: Sequence[int]) -> bool:
    """Return whether anything was gained before the viewer did something else."""
    # A choice that points at nothing, such as ending a turn, does not end the search for a gain.
    until = next((other for other, key in tried if other > at and key[1]), None)
    return any(at < gain and (until is None or gain < until) for gain in gains)


MindT = TypeVar("MindT")
Judge = Callable[[MindT, Choice], float]
"""Returns the points of a choice; the first argument is what a game knows of its table."""


@attrs.frozen
class Scale(Generic[MindT]):
    """The judges of a game, asked in the order of the fields."""

    by_subject: Mapping[str, Judge[MindT]] = attrs.field(factory=dict)
    """Judges by the subject of a choice's words."""
    by_kind: Mapping[str, Judge[MindT]] = attrs.field(factory=dict)
    """Judges by `kind_of` a choice."""
    groups: Mapping[str, float] = attrs.field(factory=dict)
    """Points by group for choices without a judge; `END_OF_TURN` in any other group."""

    def worth(self, mind: MindT, past: Past, choice: Choice) -> float:
        """Return the worth of a choice, given what came of it before."""
        judge = self.by_subject.get(choice.text.subject) or self.by_kind.get(kind_of(choice))
        usual = self.groups.get(choice.group, END_OF_TURN)
        worth = usual if judge is None else judge(mind, choice)
        if choice.ends:
            return worth
        if judge is None and not choice.points and choice.group not in self.groups:
            # A story's offer: best what was never tried, then what did not come to nothing.
            if not past.ever.get(key_of(choice)):
                return worth + _UNTRIED
            return worth - past.in_vain.get(key_of(choice), 0)
        if past.this_turn.get(key_of(choice), 0) >= SAME_IN_A_TURN:
            # Without this cap two moves that undo each other would go on for ever.
            return min(worth, END_OF_TURN - 5)
        return worth


def flat(worth: float) -> Callable[[object, Choice], float]:
    """Return a judge that gives every choice the same points."""
    return lambda _mind, _choice: worth


def pick_by_worth(
    question: Question, worths: Sequence[float], rng: random.Random
) -> tuple[str, ...]:
    """
    Return an answer: the best choice, or as many as are worth anything where several may be picked.

    Args:
        question: with at least one choice.
        worths: the worth of each choice.
        rng: decides among choices that are about equally good.
    """
    if question.at_most == 1 == question.at_least:
        top = max(worths)
        near = [at for at, worth in enumerate(worths) if worth > top - _NEAR]
        return (question.choices[rng.choice(near)].choice_id,)
    order = sorted(range(len(question.choices)), key=lambda at: -worths[at])
    wanted = [at for at in order if worths[at] > 0]
    count = max(question.at_least, min(len(wanted), question.at_most))
    return tuple(question.choices[at].choice_id for at in order[:count])
