"""
Asks: a rule puts a question to seats and receives their picks.

A rule builds an `Ask` of `Option`s, each holding a value that never leaves the server, and awaits
the ask. No event loop runs: the room drives the coroutine, shows each seat its own question, and
sends the chosen values into the coroutine once the question is settled.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Generic, TypeVar

from protocol.bounds import MAX_PICKS
from protocol.common.asks import Audience, Choice, Point, Question, RefusedChoice, Settle
from protocol.common.table import LOG_VERSION
from protocol.common.text import Text
from protocol.values import evolve, frozen

T = TypeVar("T")
U = TypeVar("U")

Picks = Mapping[int, tuple[T, ...]]
"""Chosen values, by seat."""


@frozen
class Option(Generic[T]):
    """A choice that a question offers, with the value that the rule receives for it."""

    value: T
    """Value that the rule gets when the option is chosen; it never leaves the server."""
    text: Text
    points: tuple[Point, ...] = ()
    group: str = ""
    """Heading under which clients list the option, from the names of the game; empty for none."""
    ends: bool = False
    """True if choosing the option ends the action that the seat is asked about."""

    def with_value(self, value: "U") -> "Option[U]":
        """Return a copy for which the rule receives another value."""
        return Option(value, self.text, self.points, self.group, self.ends)

    def matches(self, choice: Choice) -> bool:
        """Return True if a logged choice is this option, perhaps written with fewer parameters."""
        said, text = choice.text, self.text
        return (text.subject, text.field, text.params[: len(said.params)], self.points) == (
            said.subject,
            said.field,
            said.params,
            choice.points,
        )


@frozen
class Prompt(Generic[T]):
    """A question to one seat."""

    prompt: Text
    options: tuple[Option[T], ...]
    refused: tuple[RefusedChoice, ...] = ()
    at_least: int = 1
    at_most: int = 1
    is_ordered: bool = False
    can_repeat: bool = False
    default: tuple[int, ...] | None = None
    """Positions of the options taken on a time-out; None for the first `at_least` ones."""
    then: "tuple[Prompt[T], ...]" = ()
    """Further questions to the seat. These questions cannot have a `then`."""

    def to_pass_or_act(self, at_most: int = 1) -> "Prompt[Option[T]]":
        """
        Return a copy that passes by default, and whose values are the options themselves.

        It takes a pass alone, or up to `at_most` of the other options.
        """
        copy = self._with_values(lambda option: option)
        return evolve(copy, at_most=at_most, default=self.ending_places)

    def to_interrupt(self, value: "Callable[[T], U]") -> "Prompt[U]":
        """Return a copy that nobody has to answer, whose options have the values `value(...)`."""
        changed = self._with_values(lambda option: value(option.value))
        return evolve(changed, at_least=0, at_most=1, default=())

    @property
    def can_end(self) -> bool:
        """True if one of the options ends the action."""
        return any(option.ends for option in self.options)

    def followed_by(self, then: "Sequence[Prompt[T]]") -> "Prompt[T]":
        """Return a copy that is followed by these questions."""
        return evolve(self, then=tuple(then))

    def in_row(self, place: int) -> "Prompt[tuple[int, T]]":
        """Return a copy whose values are pairs of `place` and the option's value."""
        return self._with_values(lambda option: (place, option.value))

    def _with_values(self, value: "Callable[[Option[T]], U]") -> "Prompt[U]":
        """Return a copy without later questions, whose options have the values `value(option)`."""
        options = tuple(option.with_value(value(option)) for option in self.options)
        return Prompt(
            self.prompt,
            options,
            self.refused,
            self.at_least,
            self.at_most,
            self.is_ordered,
            self.can_repeat,
            self.default,
        )

    @property
    def row(self) -> "tuple[Prompt[T], ...]":
        """This question, then its later questions."""
        return (self, *self.then)

    @property
    def default_places(self) -> tuple[int, ...]:
        """Positions of the options that a time-out chooses in this question."""
        default = range(self.at_least) if self.default is None else self.default
        # Without options every place is -1, which `can_default` refuses unless nothing is chosen.
        last = len(self.options) - 1
        return tuple([min(at, last) for at in default])

    @property
    def ending_places(self) -> tuple[int, ...]:
        """Positions of the options that end the action."""
        return tuple(at for at, option in enumerate(self.options) if option.ends)

    def can_default(self) -> bool:
        """Return True if the options that a time-out chooses are a valid answer."""
        places = self.default_places
        is_offered = not places or min(places) >= 0
        is_single = self.can_repeat or len(set(places)) == len(places)
        return is_offered and is_single and self.at_least <= len(places) <= self.at_most

    def question(self, ask_id: int, *, may_wait: bool = False, first: int = 0) -> Question:
        """
        Return the question in the form that seats receive, including its later questions.

        Args:
            ask_id: id of the ask; the choice ids begin with it.
            may_wait: True if the seat may leave the answer to other seats.
            first: number of choices in the earlier questions of the row.
        """
        after, then = first + len(self.options), []
        for prompt in self.then:
            then.append(prompt.question(ask_id, first=after))
            after += len(prompt.options)
        return Question(
            prompt=self.prompt,
            choices=tuple(
                [
                    Choice(f"{ask_id}.{at}", one.text, one.points, one.group, one.ends)
                    for at, one in enumerate(self.options, first)
                ]
            ),
            refused=self.refused,
            at_least=self.at_least,
            at_most=self.at_most,
            is_ordered=self.is_ordered,
            can_repeat=self.can_repeat,
            default=tuple([f"{ask_id}.{first + at}" for at in self.default_places]),
            may_wait=may_wait,
            then=tuple(then),
        )

    def values(self, question: Question, picks: Sequence[str]) -> tuple[T, ...]:
        """
        Return the values of the chosen ids, question by question.

        Unordered choices come in the order of the options.
        """
        parts = zip(self.row, question.row, question.split(tuple(picks)), strict=True)
        return tuple(value for own, put, part in parts for value in own._values(put, part))  # noqa: SLF001 (of its own class)

    def _values(self, question: Question, picks: Sequence[str]) -> tuple[T, ...]:
        at = {choice.choice_id: place for place, choice in enumerate(question.choices)}
        chosen = [self._place_of(at[pick], question.choices[at[pick]]) for pick in picks]
        if not self.is_ordered:
            # A rule must not depend on the order in which unordered choices were named.
            chosen.sort()
        return tuple(self.options[place].value for place in chosen)

    def check(self, question: Question) -> None:
        """
        Check that this prompt and its later questions offer every choice of a logged question.

        Raises:
            LookupError: a choice fits no option or several, or the numbers of questions differ.
        """
        if len(question.row) != len(self.row):
            raise LookupError(f"a row of {len(question.row)} questions")
        for own, put in zip(self.row, question.row, strict=True):
            for at, choice in enumerate(put.choices):
                own._place_of(at, choice)  # noqa: SLF001 (of its own class)

    def _place_of(self, at: int, choice: Choice) -> int:
        """
        Return the position of the option that a logged choice means.

        The option at the same position is taken if it matches. If not, exactly one option must
        match. The rules that wrote the log may have offered the options in another order, lacked
        some of them, or written their texts with fewer parameters.

        Raises:
            LookupError: the choice fits no option or several.
        """
        if at < len(self.options) and self.options[at].matches(choice):
            return at
        like = [place for place, option in enumerate(self.options) if option.matches(choice)]
        if len(like) != 1:
            raise LookupError(f"{len(like)} options are {choice.text}")
        return like[0]


@frozen(eq=False)
class Ask(Generic[T]):
    """A question to one or more seats. Rules await an ask to get the picks."""

    rule: str
    about: Text
    prompts: Mapping[int, Prompt[T]]
    settle: Settle = Settle.EACH
    voters: tuple[tuple[str, int], ...] = ()
    """For votes: characters whose seats may be drawn to break a tie, each with its seat."""
    kind: str = ""
    """
    Public subject of a question that can be passed; it must not depend on secrets. A seat may pass
    all questions of a kind in advance, or stop the game at windows of a kind. Required for windows.
    """
    seconds: int = 0
    """
    For UNLESS_OBJECTED: seconds within which a seat may object; 0 for all other kinds. The duration
    of a WINDOW is a setting of the table.
    """
    audience: Audience = Audience.ALL
    """Viewers who may read a vote before all seats have voted."""
    decides: int = -1
    """For BESIDE: the seat that decides; all others may interrupt it."""

    def __attrs_post_init__(self) -> None:
        """Raise ValueError for a question that nobody could answer: a mistake in a rule."""
        if not self.prompts:
            raise ValueError(f"{self.rule} asks nobody")
        for prompt in self._different():
            self._check_row(prompt)
        if self.settle.is_vote:
            self._check_votes()
        elif self.audience is not Audience.ALL:
            raise ValueError(f"{self.rule} hides votes where nobody votes")
        if self.settle.has_pass:
            # One number for all seats of a window: it shows in the size of the record.
            is_window = self.settle is Settle.WINDOW
            at_most = self._different()[0].at_most if is_window else 1
            for prompt in self._different():
                passing = prompt.ending_places
                if (prompt.at_least, prompt.at_most) != (1, at_most) or len(passing) != 1:
                    raise ValueError(f"{self.rule} asks without one way to pass")
                if prompt.default_places != passing:
                    raise ValueError(f"{self.rule} asks with a default that is not to pass")
            if is_window and not self.kind:
                raise ValueError(f"{self.rule} opens a window without a kind")
        elif self.kind:
            raise ValueError(f"{self.rule} names a kind of question on which nobody can pass")
        if (self.seconds > 0) is not (self.settle is Settle.UNLESS_OBJECTED):
            raise ValueError(f"{self.rule} asks with a time that does not belong to the question")
        if self.settle is Settle.BESIDE:
            self._check_beside()
        elif self.decides != -1:
            raise ValueError(f"{self.rule} has one seat decide where others answer, too")

    def _check_beside(self) -> None:
        if self.decides not in self.prompts:
            raise ValueError(f"{self.rule} does not ask the seat that decides")
        for seat, prompt in self.prompts.items():
            counts = (prompt.at_least, prompt.at_most)
            if seat == self.decides:
                if counts != (1, 1):
                    raise ValueError(f"{self.rule} has a seat decide on other than one thing")
            elif counts != (0, 1) or prompt.default_places or prompt.can_end:
                raise ValueError(f"{self.rule} asks for an interruption with a pass or a default")

    def _different(self) -> tuple[Prompt[T], ...]:
        """Return the distinct prompts: a prompt that several seats share is listed once."""
        return tuple({id(prompt): prompt for prompt in self.prompts.values()}.values())

    def _check_row(self, prompt: Prompt[T]) -> None:
        for one in prompt.row:
            if not one.options and one.at_least:
                raise ValueError(f"{self.rule} asks for a choice among nothing")
            if not one.can_default():
                raise ValueError(f"{self.rule} asks for what its own default is no answer to")
        if not prompt.then:
            return
        if self.settle is not Settle.EACH:
            raise ValueError(f"{self.rule} asks a row where not each answers for itself")
        if any(one.then for one in prompt.then):
            raise ValueError(f"{self.rule} asks a row inside a row")
        if sum(one.at_most for one in prompt.row) > MAX_PICKS:
            raise ValueError(f"{self.rule} asks a row that no message can answer")

    def _check_votes(self) -> None:
        if not self.voters:
            raise ValueError(f"{self.rule} asks for votes with no lot to settle it")
        if any(seat not in self.prompts for _, seat in self.voters):
            raise ValueError(f"{self.rule} would let somebody decide who is not asked")
        # Votes are compared by their choice ids, which are places.
        first, *others = self._different()
        if any(prompt.question(0) != first.question(0) for prompt in others):
            raise ValueError(f"{self.rule} asks for votes on other choices than others have")
        is_one = (first.at_least, first.at_most) == (1, 1)
        if not is_one and not (first.at_least and first.is_ordered):
            raise ValueError(f"{self.rule} asks for votes on other than one thing or a list")

    def may_wait(self, seat: int) -> bool:
        """
        Return True if a seat may leave the answer to other seats.

        It may if it has no option that ends the action, and another seat has one.
        """
        if self.settle is not Settle.ANY_ONE or self.prompts[seat].can_end:
            return False
        return any(prompt.can_end for prompt in self.prompts.values())

    def defaults(self) -> Picks[T]:
        """Return the values of the answers by default, as if nobody had time for the question."""
        seats = sorted(self.prompts)
        if self.settle is Settle.ANY_ONE:
            # As at a time-out: the lowest seat that can end the activity.
            seats = sorted(seats, key=self.may_wait)[:1]
        elif self.settle is Settle.BESIDE:
            seats = [self.decides]
        questions = self.questions(0, LOG_VERSION)
        return {
            seat: self.prompts[seat].values(questions[seat], questions[seat].row_default)
            for seat in seats
        }

    def questions(self, ask_id: int, version: int) -> dict[int, Question]:
        """Return the question to each seat, in the form of logs of this version."""
        # A log of version 1 does not say who may wait: it is read as if everybody might.
        made: dict[tuple[int, bool], Question] = {}
        questions = {}
        for seat, prompt in self.prompts.items():
            may_wait = version == 1 or self.may_wait(seat)
            # Seats with the same prompt share one question, which is encoded once.
            key = (id(prompt), may_wait)
            if key not in made:
                made[key] = prompt.question(ask_id, may_wait=may_wait)
            questions[seat] = made[key]
        return questions

    def __await__(self) -> Generator["Ask[T]", Picks[T], Picks[T]]:
        """Yield this ask to the room, which sends the picks back; return them."""
        return (yield self)
