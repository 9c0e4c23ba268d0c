"""
An answer in progress to one question: the cursor, and the picks gathered so far.

Two laws hold: nothing is sent before the player confirms it, and nothing can be confirmed that was
never drawn. A question may appear between two key presses, and then Enter was meant for the earlier
question.
"""

from collections.abc import Callable, Sequence

import attrs

from client.locale.refusals import refusals
from client.model.waiting import TimeSpan
from client.widgets.grid import Grid
from protocol.common.asks import Choice, Point, Question, RefusedChoice
from protocol.common.text import strings_of

NOTHING = -1
"""The index of the cursor while it is on nothing."""
PROPOSED = "proposed"
"""The group, in any game, of the choice that accepts a proposed answer as it is."""


@attrs.frozen
class Listing:
    """The order in which a game lists the choices of a question."""

    groups: tuple[str, ...] = ()
    """Groups of choices in the order of lists; all other groups follow together."""
    by_name: frozenset[str] = frozenset()
    """
    Subjects of choices, or of prompts, whose choices are listed together in the order of what they
    name. The rules offer them in an order without meaning, such as that of a shuffled hand.
    """


AS_ASKED = Listing()
"""The order of the question."""


def listed(question: Question, listing: Listing = AS_ASKED) -> tuple[Choice, ...]:
    """
    Return the choices in the order of their numbers.

    A proposed answer is always first, and choices that end something are last. Within a group, the
    order of the question is kept, except for what `Listing.by_name` names. Of those that read alike
    the first stands for all, unless several can be picked.
    """
    order = {group: at for at, group in enumerate(listing.groups)}
    subjects = [choice.text.subject for choice in question.choices]

    def place(at: int) -> tuple[int, int, int, tuple[str, ...]]:
        choice = question.choices[at]
        is_last = choice.ends and choice.group != PROPOSED
        rank = -1 if choice.group == PROPOSED else is_last
        group = order.get(choice.group, len(order))
        if listing.by_name.isdisjoint((subjects[at], question.prompt.subject)):
            return rank, group, at, ()
        return rank, group, subjects.index(subjects[at]), tuple(strings_of(choice.text))

    ordered = [question.choices[at] for at in sorted(range(len(subjects)), key=place)]
    if question.at_most > 1:
        return tuple(ordered)
    alike: dict[object, list[Choice]] = {}
    for one in ordered:
        is_named = one.text.subject in listing.by_name
        alike.setdefault((one.text, one.group) if is_named else one.choice_id, []).append(one)
    # What points at any of them is about the one that stands for all.
    return tuple(
        attrs.evolve(first, points=(*first.points, *(at for one in more for at in one.points)))
        if more
        else first
        for first, *more in alike.values()
    )


class CannotDo(Exception):
    """An action that makes no sense now. The message bar shows the reason."""

    def __init__(self, key: str, *params: str | int) -> None:
        super().__init__(key)
        self.key, self.params = key, params


@attrs.define(eq=False)
class Answering:
    """An answer in progress to one question."""

    ask_id: int
    question: Question
    is_open_vote: bool = False
    """True if a pick is a vote, which the player may change."""
    is_over_dice: bool = False
    """True if the question is whether to change rolled dice."""
    row: tuple[Question, ...] = ()
    """The questions that are answered together, in order, including this question."""
    given: tuple[tuple[str, ...], ...] = ()
    """The picks in the earlier questions of the row."""
    listing: Listing = AS_ASKED
    risks: frozenset[str] = frozenset()
    """
    Groups of choices that are often picked by mistake, so that the player confirms them twice.
    """
    free: frozenset[str] = frozenset()
    """Groups of choices that cost nothing, and are lost where the question ends without them."""
    binding: frozenset[str] = frozenset()
    """Groups of choices that use something up, or cannot be taken back."""
    vain: frozenset[str] = frozenset()
    """Groups of choices that gain nothing; the cursor begins on none of them, rather on a choice
    that ends the question."""
    avoided: frozenset[Point] = frozenset()
    """Points whose choices the cursor avoids at first, such as the way back, if there are other
    choices."""
    is_in_window: bool = False
    """True if the pick is held until a deadline, and may be changed."""
    may_interrupt: bool = False
    """True if another seat decides, and a pick interrupts it at once; no pick lets it be."""
    held: tuple[str, ...] = attrs.field(default=(), init=False)
    """The ids of the picks that the server holds until they count; empty if there are none."""
    least: TimeSpan | None = attrs.field(default=None, init=False)
    """The time for which others may interrupt at least, before a held pick counts."""
    cursor: int = attrs.field(default=0, init=False)
    """
    The index of the choice under the cursor; refusals follow after the choices. The cursor begins
    where `_safest` says, and for an interruption on NOTHING.
    """
    picks: list[str] = attrs.field(factory=list)
    is_shown: bool = False
    """
    False until the first drawing of this question; until then, keys were meant for an older
    question.
    """
    choices: tuple[Choice, ...] = attrs.field(init=False)
    """The choices, in the order of their numbers."""
    refusals: tuple[RefusedChoice, ...] = attrs.field(init=False)
    """Refused options, which are listed below the choices, grouped by rule."""
    grid: Grid | None = attrs.field(default=None, init=False)
    """The grid as which the choices are drawn; None for a list."""
    _column: int = attrs.field(default=0, init=False)
    """The column of the grid in which the cursor was last."""
    _typed: str = attrs.field(default="", init=False)
    _none_at: int | None = attrs.field(default=None, init=False)
    """The index under the cursor when a warning was shown that Enter would send no pick."""
    _sure_of: str = attrs.field(default="", init=False)
    """The id of the choice about which a warning was shown, so that a second Enter confirms it."""
    _mistyped: tuple[int, str] | None = attrs.field(default=None, init=False)
    """The index under the cursor when the number of no choice was typed, and the digit."""

    def __attrs_post_init__(self) -> None:
        """Sort the choices, and set the cursor on the safest choice."""
        self.row = self.row or (self.question,)
        self.choices, self.refusals = listed(self.question, self.listing), refusals(self.question)
        if self.may_interrupt:
            self.cursor = NOTHING
        else:
            self.cursor = 0 if self.is_many else self._safest()

    def _safest(self) -> int:
        """
        Return the index of the choice on which the cursor begins, so that Enter does little harm.

        The first of these kinds that the question has: a proposed choice; a free one that would
        otherwise be lost; the default, if the question is about dice or the default ends what other
        choices would continue; a choice that neither ends anything nor leads back; any choice.
        Choices that need a confirmation or gain nothing are used only if there is no other choice.
        """
        choices, default = self.choices, self.question.default
        unmeant = self.risks | self.vain
        meant = [at for at, choice in enumerate(choices) if choice.group not in unmeant]
        binds = any(choice.group in self.binding for choice in choices)
        is_over_dice = self.is_over_dice or self.is_about_dice

        def is_default(choice: Choice) -> bool:
            is_stop = choice.ends and binds
            return choice.choice_id in default and (is_stop or is_over_dice)

        def goes_on(choice: Choice) -> bool:
            return not choice.ends and not leads_back(choice)

        def leads_back(choice: Choice) -> bool:
            return bool(self.avoided & {*choice.points})

        preferred: tuple[Callable[[Choice], bool], ...] = (
            lambda choice: choice.group == PROPOSED,
            lambda choice: choice.group in self.free,
            is_default,
            goes_on,
            lambda choice: not leads_back(choice),
            lambda _: True,
        )
        for is_safe in preferred:
            for at in meant:
                if is_safe(choices[at]):
                    return at
        # All need to be confirmed: what ends does not use anything up.
        return next((at for at, choice in enumerate(choices) if choice.ends), 0)

    # Questions about it

    @property
    def is_many(self) -> bool:
        """Whether the player marks picks before confirming; False if the answer is one pick."""
        is_one = self.question.at_least == 1 or self.may_interrupt
        return self.question.at_most > 1 or not is_one

    @property
    def is_enough(self) -> bool:
        """Whether there are enough picks to send with Enter."""
        if self.is_many:
            return len(self.picks) >= self.question.at_least
        return self.chosen is not None

    @property
    def sends(self) -> str:
        """The catalog key of the hint for Enter."""
        if self.is_open_vote:
            return "hint.choose_vote"
        if self.is_in_window:
            return "hint.choose_window"
        if self.may_interrupt:
            return "hint.interrupt"
        if not self.is_many:
            return "hint.choose"
        return "hint.choose_marked" if self.picks else "hint.choose_none"

    @property
    def is_row(self) -> bool:
        """Whether the order of the picks matters, or a pick may repeat."""
        return self.question.is_ordered or self.question.can_repeat

    @property
    def chosen(self) -> Choice | None:
        """The choice under the cursor; None if a refusal or nothing is under the cursor."""
        return self.choices[self.cursor] if 0 <= self.cursor < len(self.choices) else None

    @property
    def refused(self) -> RefusedChoice | None:
        """The refusal under the cursor; None if a choice is under the cursor."""
        at = self.cursor - len(self.choices)
        return self.refusals[at] if 0 <= at < len(self.refusals) else None

    def pointed_at(self) -> tuple[Choice, ...]:
        """Return the choices with highlighted pieces: the choice under the cursor and all picks."""
        picked = [choice for choice in self.choices if choice.choice_id in self.picks]
        return tuple(picked if self.chosen is None else [self.chosen, *picked])

    def number_of(self, choice_id: str) -> int:
        """Return the number of a choice, or of the one that stands for it as they read alike."""
        numbers = {c.choice_id: at for at, c in enumerate(self.choices, 1)}
        if choice_id not in numbers:
            meant = next(c for c in self.question.choices if c.choice_id == choice_id)
            alike = (c for c in self.choices if (c.text, c.group) == (meant.text, meant.group))
            return numbers[next(alike).choice_id]
        return numbers[choice_id]

    def about(self, points: Sequence[Point]) -> int | None:
        """Return the index of the next choice about any of these points; None if there is none.

        The search begins after the cursor and continues at the first choice.
        """
        count = len(self.choices)
        order = (*range(self.cursor + 1, count), *range(min(self.cursor + 1, count)))
        fitting = (at for at in order if set(points) & {*self.choices[at].points})
        return next(fitting, None)

    @property
    def is_about_dice(self) -> bool:
        """Whether a choice points at dice."""
        return bool(self._stops())

    def for_die(self, die: str) -> int | None:
        """Return the index of the choice whose last die is `die`; None if there is none."""
        return next((at for stop, at in self._stops() if stop == _in_order(die)), None)

    def _stops(self) -> list[tuple[tuple[int, str], int]]:
        """Return the choices about dice from left to right, each as its last die and its index."""
        stops = []
        for at, choice in enumerate(self.choices):
            dice = [_in_order(point.piece) for point in choice.points if point.kind == "die"]
            if dice:
                stops.append((max(dice), at))
        return sorted(stops)

    def after(self, picks: tuple[str, ...]) -> "Answering | None":
        """Return the next question of the row after this answer; None after the last question."""
        given = (*self.given, picks)
        return self._at(given) if len(given) < len(self.row) else None

    def before(self) -> "Answering | None":
        """Return the previous question of the row, to be answered again; None if there is none."""
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
            listing=self.listing,
            risks=self.risks,
            free=self.free,
            binding=self.binding,
            vain=self.vain,
        )

    def ask_again(self, ask_id: int, question: Question) -> None:
        """Continue the answer to a question that is asked again in the same words, with new ids."""
        pairs = zip(self.question.choices, question.choices, strict=True)
        ids = {old.choice_id: new.choice_id for old, new in pairs}
        self.picks = [ids[pick] for pick in self.picks]
        self.ask_id, self.question, self.row = ask_id, question, (question,)
        self.choices, self.refusals = listed(question, self.listing), refusals(question)
        self._none_at, self._sure_of = None, ""

    # What keys do

    def go_to(self, at: int) -> None:
        self._typed = self._sure_of = ""
        self.cursor = at

    def move(self, by: int) -> None:
        """
        Move the cursor; past either end, continue at the other.

        Moving down reaches the refusals. Moving up from the first choice goes to the last choice,
        which often ends a turn, and not to the last refusal.
        """
        self._typed = self._sure_of = ""
        count = len(self.choices)
        if self.grid is not None:
            column = self.grid.column(self.cursor)
            self._column = self._column if column is None else column
            self.cursor = self.grid.vertically(self.cursor, by, self._column)
        elif self.may_interrupt:
            # Nothing is a place of its own, before the first choice.
            self.cursor = (self.cursor + 1 + by) % (count + len(self.refusals) + 1) - 1
        elif by < 0 and 0 <= self.cursor < -by and count:
            self.cursor = (self.cursor + by) % count
        elif rows := count + len(self.refusals):
            self.cursor = (self.cursor + by) % rows

    @property
    def is_code(self) -> bool:
        """Whether the answer is a row of signs, each of which may come again."""
        return self.question.can_repeat

    @property
    def is_in_grid(self) -> bool:
        """Whether the cursor is in a cell of a grid."""
        return self.grid is not None and self.grid.column(self.cursor) is not None

    def move_across(self, by: int) -> None:
        """Move along the row of a grid, the signs of a code, or the dice."""
        if self.grid is None:
            if self.is_code and self.choices:
                self.go_to((self.cursor + by) % len(self.choices))
            else:
                self.move_die(by)
            return
        self._typed = self._sure_of = ""
        self.cursor = self.grid.across(self.cursor, by)
        self._column = self.grid.column(self.cursor) or 0

    def move_die(self, by: int) -> None:
        """Move the cursor to the next choice about a die, or back; past either end, go around."""
        # From a choice about no die, the first step goes to the first or the last die.
        self._typed = ""
        places = [at for _, at in self._stops()]
        if not places:
            raise CannotDo("wrong.no_dice")
        start = places.index(self.cursor) if self.cursor in places else -1 if by > 0 else 0
        self.cursor = places[(start + by) % len(places)]

    def type_digit(self, digit: str) -> None:
        """Move the cursor to the choice with this number.

        A second digit makes a larger number if there is such a choice.
        """
        for typed in (self._typed + digit, digit):
            if 1 <= int(typed) <= len(self.choices):
                # A digit that completes a number begins no new one.
                could_grow = int(typed) * 10 <= len(self.choices)
                self._typed = typed if could_grow else ""
                self._mistyped = None
                self.cursor = int(typed) - 1
                # In a row, a number picks at once, since the row needs many picks.
                if self.is_row and not could_grow:
                    self.mark()
                return
        self._typed = ""
        self._mistyped = self.cursor, digit
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
        self._typed = ""
        if self.may_interrupt and self.cursor != NOTHING:
            self.cursor = NOTHING
            return
        if not self.picks:
            raise CannotDo("wrong.undo")
        self.picks.pop()

    def confirm(self) -> tuple[str, ...]:
        """
        Return the picks to send.

        Raises:
            CannotDo: the question was not drawn yet, or there are too few picks; once, as a
                warning, if there are no picks, if the choice is often picked by mistake, or if the
                number of no choice was typed last.
        """
        self._typed = ""
        if not self.is_shown:
            raise CannotDo("wrong.unseen")
        mistyped, self._mistyped = self._mistyped, None
        if mistyped is not None and mistyped[0] == self.cursor:
            # Who typed the number of no choice does not mean the one under the cursor.
            raise CannotDo("wrong.number", mistyped[1], len(self.choices))
        chosen = None if self.is_many else self.chosen
        if self.may_interrupt and chosen is None:
            raise CannotDo("wrong.nothing_chosen")
        picks = tuple(self.picks) if chosen is None else (chosen.choice_id,)
        if self.is_in_window and (fault := self.question.faults_in_window(picks)) is not None:
            raise CannotDo(f"error.{fault}")
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
