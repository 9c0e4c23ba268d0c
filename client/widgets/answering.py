"""
An answer in progress to one question: the cursor, and the picks gathered so far.

Two laws: nothing is sent before it is confirmed, and nothing that was never drawn can be
confirmed. A question may appear between two key presses, and Enter was meant for the last one.
"""

from collections.abc import Sequence

import attrs

from client.locale.refusals import refusals
from protocol.common.asks import Choice, Point, Question, RefusedChoice

PROPOSED = "proposed"
"""Group, in any game, of the choice that accepts a proposed answer as it is."""


def listed(question: Question, groups: Sequence[str] = ()) -> tuple[Choice, ...]:
    """
    Return the choices in the order of their numbers.

    Args:
        question: its order holds within a group.
        groups: the game's order of groups. Groups it does not name follow together, choices that
            end something come last of all, and a proposed answer first.
    """
    order = {group: at for at, group in enumerate(groups)}

    def place(choice: Choice) -> tuple[int, int]:
        is_last = choice.ends and choice.group != PROPOSED
        return -1 if choice.group == PROPOSED else is_last, order.get(choice.group, len(order))

    return tuple(sorted(question.choices, key=place))


class CannotDo(Exception):
    """A key that makes no sense now; the reason goes to the message bar."""

    def __init__(self, key: str, *params: str | int) -> None:
        """Take the catalog key of the reason, and its parameters."""
        super().__init__(key)
        self.key, self.params = key, params


@attrs.define(eq=False)
class Answering:
    """An answer in progress to one question."""

    ask_id: int
    question: Question
    is_open_vote: bool = False
    """True if a pick is a vote, which may be changed."""
    is_over_dice: bool = False
    """True if the question is whether to change rolled dice."""
    row: tuple[Question, ...] = ()
    """Questions answered together, this one among them; this one alone if there are no others."""
    given: tuple[tuple[str, ...], ...] = ()
    """Picks in the earlier questions of the row."""
    groups: tuple[str, ...] = ()
    """The game's order of groups; see `listed`."""
    risks: frozenset[str] = frozenset()
    """Groups of choices that are rarely meant, so that each is confirmed twice."""
    avoided: frozenset[Point] = frozenset()
    """Points whose choices the cursor does not begin on, such as the way back, unless all are."""
    is_in_window: bool = False
    """True if the pick is held until a deadline, and may be changed."""
    held: str = attrs.field(default="", init=False)
    """Id of the pick held in a window; empty for none."""
    cursor: int = attrs.field(default=0, init=False)
    """
    Place of the choice or, after the last one, the refusal under the cursor, from 0. It begins on
    the first that is not avoided, but on no change where dice may be.
    """
    picks: list[str] = attrs.field(factory=list)
    is_shown: bool = False
    """Set once it was drawn: before, a key was meant for an older question."""
    choices: tuple[Choice, ...] = attrs.field(init=False)
    """In the order of their numbers."""
    refusals: tuple[RefusedChoice, ...] = attrs.field(init=False)
    """Listed below the choices, grouped by rule."""
    _typed: str = attrs.field(default="", init=False)
    _none_at: int | None = attrs.field(default=None, init=False)
    """Place of the cursor when Enter would have sent no pick, and a warning was shown."""
    _sure_of: str = attrs.field(default="", init=False)
    """Id of the choice that needs a second Enter, once the first one was warned about."""

    def __attrs_post_init__(self) -> None:
        """Sort the choices, and set the cursor on the safest one."""
        self.row = self.row or (self.question,)
        self.choices, self.refusals = listed(self.question, self.groups), refusals(self.question)
        if (self.is_over_dice or self.is_about_dice) and not self.is_many:
            # Enter alone must not pay for a change that nobody wanted.
            default = self.question.default
            places = (at for at, c in enumerate(self.choices) if c.choice_id in default)
            self.cursor = next(places, 0)
        elif self.avoided:
            free = [at for at, c in enumerate(self.choices) if not self.avoided & {*c.points}]
            going_on = (at for at in free if not self.choices[at].ends)
            self.cursor = next(going_on, free[0] if free else 0)

    # Questions about it

    @property
    def is_many(self) -> bool:
        """True if several picks are gathered before they are confirmed."""
        return self.question.at_most > 1 or self.question.at_least == 0

    @property
    def is_enough(self) -> bool:
        """True if Enter has an answer to send."""
        if self.is_many:
            return len(self.picks) >= self.question.at_least
        return self.chosen is not None

    @property
    def sends(self) -> str:
        """Catalog key of the hint for Enter."""
        if self.is_open_vote:
            return "hint.choose_vote"
        if self.is_in_window:
            return "hint.choose_window"
        if not self.is_many:
            return "hint.choose"
        return "hint.choose_marked" if self.picks else "hint.choose_none"

    @property
    def is_row(self) -> bool:
        """True if the order of the picks counts, or one may repeat."""
        return self.question.is_ordered or self.question.can_repeat

    @property
    def chosen(self) -> Choice | None:
        """Choice under the cursor; None on a refusal."""
        return self.choices[self.cursor] if self.cursor < len(self.choices) else None

    @property
    def refused(self) -> RefusedChoice | None:
        """Refusal under the cursor; None on a choice."""
        at = self.cursor - len(self.choices)
        return self.refusals[at] if 0 <= at < len(self.refusals) else None

    def pointed_at(self) -> tuple[Choice, ...]:
        """Return the choices whose pieces are lit: the one under the cursor and those picked."""
        picked = [choice for choice in self.choices if choice.choice_id in self.picks]
        return tuple(picked if self.chosen is None else [self.chosen, *picked])

    def number_of(self, choice_id: str) -> int:
        """Return the number of a choice, from 1."""
        return next(at for at, c in enumerate(self.choices, 1) if c.choice_id == choice_id)

    def about(self, points: Sequence[Point]) -> int | None:
        """Return the place of the next choice, after the cursor, that points at one of `points`."""
        count = len(self.choices)
        order = (*range(self.cursor + 1, count), *range(min(self.cursor + 1, count)))
        fitting = (at for at in order if set(points) & {*self.choices[at].points})
        return next(fitting, None)

    @property
    def is_about_dice(self) -> bool:
        """True if a choice points at dice."""
        return bool(self._stops())

    def for_die(self, die: str) -> int | None:
        """Return the place of the choice whose last die is `die`; None for none."""
        return next((at for stop, at in self._stops() if stop == _in_order(die)), None)

    def _stops(self) -> list[tuple[tuple[int, str], int]]:
        """Return the places of choices about dice, with the last die of each, from the left."""
        stops = []
        for at, choice in enumerate(self.choices):
            dice = [_in_order(point.piece) for point in choice.points if point.kind == "die"]
            if dice:
                stops.append((max(dice), at))
        return sorted(stops)

    def after(self, picks: tuple[str, ...]) -> "Answering | None":
        """Return the next question of the row, once this one is answered; None after the last."""
        given = (*self.given, picks)
        return self._at(given) if len(given) < len(self.row) else None

    def before(self) -> "Answering | None":
        """Return the earlier question of the row, to be answered again; None if there is none."""
        return self._at(self.given[:-1]) if self.given else None

    def _at(self, given: tuple[tuple[str, ...], ...]) -> "Answering":
        # Not `evolve`: each question begins without cursor, picks and warnings of the last.
        question = self.row[len(given)]
        return Answering(
            self.ask_id,
            question,
            self.is_open_vote,
            row=self.row,
            given=given,
            groups=self.groups,
            risks=self.risks,
        )

    # What keys do

    def go_to(self, at: int) -> None:
        """Move the cursor to a choice, by its place from 0."""
        self._typed = self._sure_of = ""
        self.cursor = at

    def move(self, by: int) -> None:
        """
        Move the cursor, around the ends.

        Refusals are read on the way down. Up from the first goes to the last choice, which often
        ends a turn, and not to the last refusal.
        """
        self._typed = self._sure_of = ""
        count = len(self.choices)
        if by < 0 and 0 <= self.cursor < -by and count:
            self.cursor = (self.cursor + by) % count
        elif rows := count + len(self.refusals):
            self.cursor = (self.cursor + by) % rows

    def move_die(self, by: int) -> None:
        """Move along the dice, around the ends; the cursor follows to a choice about that die."""
        # From a choice about no die, the first step goes to the first or the last die.
        self._typed = ""
        places = [at for _, at in self._stops()]
        if not places:
            raise CannotDo("wrong.no_dice")
        start = places.index(self.cursor) if self.cursor in places else -1 if by > 0 else 0
        self.cursor = places[(start + by) % len(places)]

    def type_digit(self, digit: str) -> None:
        """Go to a number; a second digit makes a larger one if there is such a choice."""
        for typed in (self._typed + digit, digit):
            if 1 <= int(typed) <= len(self.choices):
                # A digit that completes a number begins no new one.
                could_grow = int(typed) * 10 <= len(self.choices)
                self._typed = typed if could_grow else ""
                self.cursor = int(typed) - 1
                if self.is_row and not could_grow:
                    self.mark()
                return
        self._typed = ""
        raise CannotDo("wrong.number", digit, len(self.choices))

    def mark(self) -> None:
        """Pick the choice under the cursor, or remove its pick."""
        self._typed = ""
        choice = self.chosen
        if choice is None or not self.is_many:
            raise CannotDo("wrong.mark")
        if not self.is_row and choice.choice_id in self.picks:
            self.picks.remove(choice.choice_id)
            return
        if not self.question.can_repeat and choice.choice_id in self.picks:
            raise CannotDo("wrong.repeat")
        if len(self.picks) >= self.question.at_most:
            raise CannotDo("wrong.full", self.question.at_most)
        self.picks.append(choice.choice_id)

    def undo(self) -> None:
        """Remove the last pick."""
        self._typed = ""
        if not self.picks:
            raise CannotDo("wrong.undo")
        self.picks.pop()

    def confirm(self) -> tuple[str, ...]:
        """
        Return the picks to send.

        Raises:
            CannotDo: the question was not drawn yet, or there are too few picks. Also once, as a
                warning, if there are no picks, or if the choice is rarely meant.
        """
        self._typed = ""
        if not self.is_shown:
            raise CannotDo("wrong.unseen")
        chosen = None if self.is_many else self.chosen
        picks = tuple(self.picks) if chosen is None else (chosen.choice_id,)
        if len(picks) < self.question.at_least:
            raise CannotDo("wrong.few", self.question.at_least)
        if self.choices and self.is_many and not picks and self._none_at != self.cursor:
            # A player who means the choice under the cursor would lose it.
            self._none_at = self.cursor
            raise CannotDo("wrong.none_marked")
        if chosen is not None and chosen.group in self.risks and self._sure_of != chosen.choice_id:
            # It is rarely meant, so only the second Enter sends it.
            self._sure_of = chosen.choice_id
            raise CannotDo("wrong.sure")
        return picks


def _in_order(die: str) -> tuple[int, str]:
    """Return the sort key of a die: its position, compared as a number."""
    return len(die), die
