"""
Questions as they are encoded.

A question offers choices; an answer names some of them. The client highlights the things that a
choice points at, and knows nothing else about it.
"""

import enum

import attrs

from protocol.bounds import ID
from protocol.common.text import Text
from protocol.values import evolve, frozen


class Settle(enum.Enum):
    """Rule by which a question to several seats is settled."""

    ANY_ONE = "any_one"
    """The first valid answer settles the question."""
    EACH = "each"
    """Each seat answers; answers are secret until all are in."""
    AGREE = "agree"
    """Each seat votes; settled when all seats agree, or by a tiebreak."""
    MAJORITY = "majority"
    """Each seat votes; settled when more than half of the seats agree, or by lot."""
    FIRST_OR_ALL_PASS = "first_or_all_pass"  # noqa: S105 (no password)
    """Settled by the first seat that acts, or when all pass. Passes are public."""
    UNLESS_OBJECTED = "unless_objected"
    """As FIRST_OR_ALL_PASS, with a time limit after which silence counts as a pass."""
    WINDOW = "window"
    """Each seat acts or passes, and may change its answer until a fixed time has passed. Silence is
    a pass. The log has no answer before that time."""
    BESIDE = "beside"
    """One seat decides, the others may interrupt. The first answer settles the question: that of
    the seat that decides, once the question has its least age, or an interruption."""

    @property
    def can_pass(self) -> bool:
        """True if seats can pass publicly; the first seat that acts settles the question."""
        return self is Settle.FIRST_OR_ALL_PASS or self is Settle.UNLESS_OBJECTED

    @property
    def has_pass(self) -> bool:
        """True if one of the choices is to pass, publicly or not."""
        return self.can_pass or self is Settle.WINDOW

    @property
    def first_settles(self) -> bool:
        """True if the first answer settles the question."""
        return self is Settle.ANY_ONE or self is Settle.BESIDE or self.can_pass

    @property
    def has_seconds(self) -> bool:
        """True if the question has its own time limit."""
        return self is Settle.UNLESS_OBJECTED or self is Settle.WINDOW

    @property
    def is_vote(self) -> bool:
        """True if the seats vote on one answer for all."""
        return self is Settle.AGREE or self is Settle.MAJORITY


class Audience(enum.Enum):
    """Readers of the votes while some seats have not voted."""

    ALL = "all"
    """Each vote is public at once, and the seat may change it."""
    NOBODY = "nobody"
    """Each vote is sealed and final; all votes are shown once every seat has voted."""


@frozen
class Point:
    """A thing on the table that a choice is about; clients highlight it."""

    kind: str
    """`space`, `door`, `investigator`, `monster`, `token`, `feature`, `card`, `possession`,
    `die`."""
    piece: str
    """Id of the piece on the table; for a hidden card, its handle."""


@frozen
class Choice:
    """An option that the answer to a question can pick."""

    choice_id: str
    """Opaque id of the choice; each question has new ids."""
    text: Text
    points: tuple[Point, ...] = ()
    group: str = ""
    """Name of the heading under which clients list the choice; empty for none."""
    ends: bool = False
    """True if the choice ends the current activity of the seat, such as its turn."""


@frozen
class RefusedChoice:
    """An option that one might expect, and the reason why it is not offered."""

    text: Text
    reason: Text
    rule: str
    """Id of the rule that forbids the choice."""


@frozen
class Reason:
    """One of the reasons for which the rules refuse something."""

    text: Text
    rule: str = attrs.field(default="", validator=ID)
    """Id of the rule; empty if no rule of the book says it."""


@frozen
class Question:
    """A question to one seat."""

    prompt: Text
    choices: tuple[Choice, ...]
    refused: tuple[RefusedChoice, ...] = ()
    at_least: int = 1
    at_most: int = 1
    is_ordered: bool = False
    """True if the order of the picks matters."""
    can_repeat: bool = False
    """True if a choice may be picked several times."""
    default: tuple[str, ...] = ()
    """
    Ids of the choices taken at a time-out; if `at_least` is 0, an empty default means that nothing
    is picked.
    """
    may_wait: bool = False
    """True if only another seat can end the activity, so leaving this question unanswered does not
    block the game."""
    then: tuple["Question", ...] = ()
    """Further questions to the seat, which have no `then`. One answer has the picks of all these
    questions, so nobody learns their number or the progress of the seat."""

    @property
    def row(self) -> tuple["Question", ...]:
        """This question without `then`, followed by the questions in `then`."""
        return (evolve(self, then=()), *self.then) if self.then else (self,)

    @property
    def row_default(self) -> tuple[str, ...]:
        """The defaults of all questions in the row, for a seat that has not answered in time."""
        return tuple(pick for question in self.row for pick in question.default)

    @property
    def passing(self) -> tuple[str, ...]:
        """The answer that passes: the ids of all choices whose `ends` is true."""
        return tuple(choice.choice_id for choice in self.choices if choice.ends)

    def faults(self, picks: tuple[str, ...]) -> str | None:
        """Return the error code of an answer to the row; None if it is valid."""
        if not self.then:
            return self.part_faults(picks)
        # Ids are distinct in a row, so each pick belongs to one question. What is left over was not
        # offered by any of them.
        parts = self.split(picks)
        if sum(map(len, parts)) < len(picks):
            return "answer/not_offered"
        found = (q.part_faults(part) for q, part in zip(self.row, parts, strict=True))
        return next((fault for fault in found if fault is not None), None)

    def faults_in_window(self, picks: tuple[str, ...]) -> str | None:
        """
        Return the error code of an answer in a timed window; None if it is valid.

        Two choices that point at the same thing exclude each other there.
        """
        if (fault := self.faults(picks)) is not None or len(picks) < 2:
            return fault
        # A pass together with an act would be neither.
        if not set(picks).isdisjoint(self.passing):
            return "answer/pass_alone"
        points = [
            point
            for choice in self.choices
            if choice.choice_id in picks
            for point in {*choice.points}
        ]
        return "answer/same_thing" if len({*points}) < len(points) else None

    def split(self, picks: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """Split the picks of an answer by the question of the row that offers them."""
        if not self.then:
            return (picks,)
        offers = [{choice.choice_id for choice in question.choices} for question in self.row]
        return tuple(tuple(pick for pick in picks if pick in offered) for offered in offers)

    def part_faults(self, picks: tuple[str, ...]) -> str | None:
        """Return the error code of an answer to this question alone; None if it is valid."""
        if not self.at_least <= len(picks) <= self.at_most:
            return "answer/wrong_number"
        if not {choice.choice_id for choice in self.choices}.issuperset(picks):
            return "answer/not_offered"
        if not self.can_repeat and len(set(picks)) != len(picks):
            return "answer/repeated"
        return None
