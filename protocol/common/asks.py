"""
Questions: what somebody is asked, as it travels.

A question offers choices; an answer names some of them. The client lights up what a choice points
at and knows nothing else about it.
"""

import enum

from protocol.common.text import Text
from protocol.values import evolve, frozen


class Settle(enum.Enum):
    """When a question that several seats are asked is settled."""

    ANY_ONE = "any_one"
    """The first valid answer settles it."""
    EACH = "each"
    """One answer from every seat asked, each secret to its giver until all are in."""
    AGREE = "agree"
    """Votes; settled when all are the same, or by a tiebreak."""
    MAJORITY = "majority"
    """Votes; settled when more than half of the seats asked are for the same, or by lot."""
    FIRST_OR_ALL_PASS = "first_or_all_pass"  # noqa: S105 (no password)
    """The first who acts settles it; or all pass. Who has passed is open to all."""
    UNLESS_OBJECTED = "unless_objected"
    """The same with a time: it stands unless somebody objects before that is over."""
    WINDOW = "window"
    """Each acts or passes, and may say otherwise until a time is over that all know; who says
    nothing passes. What was said is on no log before."""

    @property
    def can_pass(self) -> bool:
        """Whether a seat answers by doing something, which settles it, or by passing openly."""
        return self is Settle.FIRST_OR_ALL_PASS or self is Settle.UNLESS_OBJECTED

    @property
    def has_pass(self) -> bool:
        """Whether one of the choices is to pass, openly or not."""
        return self.can_pass or self is Settle.WINDOW

    @property
    def has_seconds(self) -> bool:
        """Whether the question itself says how long it is open."""
        return self is Settle.UNLESS_OBJECTED or self is Settle.WINDOW

    @property
    def is_vote(self) -> bool:
        """Whether the seats decide together on one answer for all."""
        return self is Settle.AGREE or self is Settle.MAJORITY


class Audience(enum.Enum):
    """Who may read a vote before all have voted."""

    ALL = "all"
    """Everybody reads it as it is given, and it may be changed."""
    NOBODY = "nobody"
    """It is sealed to its giver and stands; once all are in, all votes are shown together."""


@frozen
class Point:
    """Something on the table that a choice is about, so that a client can light it."""

    kind: str
    """`space`, `door`, `investigator`, `monster`, `token`, `feature`, `card`, `possession`,
    `die`."""
    piece: str
    """Its id in the table; a hidden card is named by its handle."""


@frozen
class Choice:
    """One thing that may be chosen."""

    choice_id: str
    """Opaque, and new in each question."""
    text: Text
    points: tuple[Point, ...] = ()
    group: str = ""
    """The heading that a client lists it under, by a name of the game; empty for none."""
    ends: bool = False
    """Whether it ends what the seat is doing, instead of doing more."""


@frozen
class RefusedChoice:
    """Something that one might expect to be able to choose, and why not."""

    text: Text
    reason: Text
    rule: str
    """The id of the rule that refuses."""


@frozen
class Question:
    """What one seat is asked."""

    prompt: Text
    choices: tuple[Choice, ...]
    refused: tuple[RefusedChoice, ...] = ()
    at_least: int = 1
    at_most: int = 1
    is_ordered: bool = False
    """Whether the order of the chosen things counts."""
    can_repeat: bool = False
    """Whether one choice may be taken several times."""
    default: tuple[str, ...] = ()
    """The choice ids that a time-out takes; empty where at_least is 0 means nothing."""
    may_wait: bool = False
    """
    Whether another seat is offered to end what is done, and this one is not: so that it may leave
    the question alone without holding up the game.
    """
    then: tuple["Question", ...] = ()
    """
    What the seat is asked after this, at its own pace, each with nothing after it. One answer holds
    the picks of the whole row, so that nobody learns how far the seat has come, or of how many.
    """

    @property
    def row(self) -> tuple["Question", ...]:
        """This question and those after it, each alone."""
        return (evolve(self, then=()), *self.then) if self.then else (self,)

    @property
    def row_default(self) -> tuple[str, ...]:
        """The answer to the whole row that a time-out takes."""
        return tuple(pick for question in self.row for pick in question.default)

    @property
    def passing(self) -> tuple[str, ...]:
        """The answer that passes: the choices that end what the seat is doing."""
        return tuple(choice.choice_id for choice in self.choices if choice.ends)

    def faults(self, picks: tuple[str, ...]) -> str | None:
        """Return the code of what is wrong with an answer to the row; None if it was offered."""
        if not self.then:
            return self.part_faults(picks)
        parts = self.split(picks)
        if sum(map(len, parts)) < len(picks):
            return "answer/not_offered"
        found = (q.part_faults(part) for q, part in zip(self.row, parts, strict=True))
        return next((fault for fault in found if fault is not None), None)

    def split(self, picks: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """Return by question of the row those of an answer's picks that it offers."""
        if not self.then:
            return (picks,)
        offers = [{choice.choice_id for choice in question.choices} for question in self.row]
        return tuple(tuple(pick for pick in picks if pick in offered) for offered in offers)

    def part_faults(self, picks: tuple[str, ...]) -> str | None:
        """Return the code of what is wrong with an answer to this question alone; None if right."""
        if not self.at_least <= len(picks) <= self.at_most:
            return "answer/wrong_number"
        if not {choice.choice_id for choice in self.choices}.issuperset(picks):
            return "answer/not_offered"
        if not self.can_repeat and len(set(picks)) != len(picks):
            return "answer/repeated"
        return None
