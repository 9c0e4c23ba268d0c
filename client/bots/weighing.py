"""
Weighing: how bots of any game select a choice, by points.

A game gives each choice its points by means of a `Scale`. The results of earlier choices come from
the log (`Past`), not from the bot's memory. So a bot that takes over a seat plays as if it had
played the seat from the start. `pick_by_worth` turns the points into an answer.
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
"""Points for ending a turn, stopping, staying or accepting. A choice with fewer points is picked
only if the question offers nothing better.
"""
SAME_IN_A_TURN = 3
"""Number of picks in a turn after which a choice is worth less than ending the turn."""
MEMORY = 800
"""The number of latest records that a bot reads."""
_NEAR = 4.0
"""Choices whose points differ by less than this number count as equal, so that bots vary."""
_UNTRIED = 6.0
"""Points that a choice of the story gains if the bot's seat never picked it."""

Key = tuple[str, tuple[Point, ...]]
"""Identifies a choice across questions: the subject of its words, and the points of the choice."""


def key_of(choice: Choice) -> Key:
    """Return a key that identifies a choice across questions."""
    return choice.text.subject, choice.points


def kind_of(choice: Choice) -> str:
    """Return the group of a choice, and the kind of the first piece that the choice points at."""
    return f"{choice.group}/{choice.points[0].kind if choice.points else ''}"


@attrs.frozen
class Past:
    """The viewer's choices on the last `MEMORY` records of the log, and the results."""

    in_vain: Mapping[Key, int]
    """The number of times that each choice was picked without a following gain."""
    this_turn: Mapping[Key, int]
    """The number of picks of each choice in the current turn."""
    ever: Mapping[Key, int]
    """The total number of picks of each choice."""
    asked: Sequence[tuple[int, Question]]
    """The questions that the viewer was asked, oldest first, with the sequence of each record."""
    last_gain: int
    """The sequence of the last gain; -1 if there was no gain."""

    @classmethod
    def from_log(
        cls, view: TableView, gains: tuple[type[Event], ...], turn: type[Event] | tuple[()] = ()
    ) -> "Past":
        """
        Return the past of a viewer, read from the log.

        Args:
            view: the viewer's table.
            gains: the kinds of events that show the benefit of a choice.
            turn: the kind of event that begins a turn.
        """
        tried: list[tuple[int, Key]] = []
        gained: list[int] = []
        began = -1
        asked: list[tuple[int, Question]] = []
        by_ask: dict[int, Question] = {}
        # Bounded, because the log is read for each answer of the bot.
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
    """Return whether a gain came after the choice at `at` and before the next choice of a piece.

    Args:
        at: the sequence of the choice's record.
        tried: the sequence and key of each choice.
        gains: the sequences of all gains.
    """
    # A choice that points at nothing, such as ending a turn, does not end the search for a gain.
    until = next((other for other, key in tried if other > at and key[1]), None)
    return any(at < gain and (until is None or gain < until) for gain in gains)


MindT = TypeVar("MindT")
Judge = Callable[[MindT, Choice], float]
"""Returns the points of a choice. The first argument is the bot's knowledge of the table."""


@attrs.frozen
class Scale(Generic[MindT]):
    """The points of each choice: by its subject, else by its kind, else by its group."""

    by_subject: Mapping[str, Judge[MindT]] = attrs.field(factory=dict)
    """Judges by the subject of a choice's words."""
    by_kind: Mapping[str, Judge[MindT]] = attrs.field(factory=dict)
    """Judges by the `kind_of` a choice."""
    groups: Mapping[str, float] = attrs.field(factory=dict)
    """Points by group, for choices without a judge. Any other group has `END_OF_TURN` points."""

    def worth(self, mind: MindT, past: Past, choice: Choice) -> float:
        """Return the points of a choice, adjusted by the results of earlier choices."""
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
    """Return a judge, a function that rates choices, by which every choice has `worth` points."""
    return lambda _mind, _choice: worth


def pick_by_worth(
    question: Question, worths: Sequence[float], rng: random.Random
) -> tuple[str, ...]:
    """Return the choices to pick, by their ids.

    If exactly one choice must be picked, pick at random among those nearly as good as the best. In
    any other question, pick the choices with points above 0, within the question's limits.

    Args:
        question: the question to answer, with at least one choice.
        worths: the points of each choice.
        rng: decides among choices with nearly the same points.
    """
    if question.at_most == 1 == question.at_least:
        top = max(worths)
        near = [at for at, worth in enumerate(worths) if worth > top - _NEAR]
        return (question.choices[rng.choice(near)].choice_id,)
    order = sorted(range(len(question.choices)), key=lambda at: -worths[at])
    wanted = [at for at in order if worths[at] > 0]
    count = max(question.at_least, min(len(wanted), question.at_most))
    best = tuple(question.choices[at].choice_id for at in order[:count])
    # In a window a pass excludes the other choices, and so do two that point at the same thing.
    is_window = question.at_least == 1 and any(choice.ends for choice in question.choices)
    return best[:1] if is_window and question.faults_in_window(best) is not None else best
