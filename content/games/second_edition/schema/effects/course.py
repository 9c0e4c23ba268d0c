"""Steps that control the story: counters, choices, chance, timers, puzzles, the end."""

import enum
from collections.abc import Mapping
from typing import Annotated

import attrs

from content.games.second_edition.schema.effects.base import Effect, Number, Step
from content.games.second_edition.schema.kinds import (
    COUNTED,
    ONE_UP,
    ActorText,
    CounterName,
    DeckName,
    EffectName,
    NumberedText,
    PlainText,
    PuzzleId,
    StoryText,
    TimerName,
)
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.schema.targets import Anybody
from content.reading.meanings import Role
from content.reading.parts import part
from protocol.games.second_edition.table import Skill


@part(Step, "objective")
class SetObjective(Step):
    """
    Reveal or change the objective. Rules WIN-2 and WIN-4.

    The short form is the text alone: `objective: cellar/flee`.
    """

    text: Annotated[NumberedText, Role.SHORT]
    values: tuple[Number, ...] = ()
    """Numbers shown in the text, in place of `{2}`, `{3}` and so on. Each keeps its value from when
    the objective was set."""


@part(Step, "count")
class Count(Step):
    """Change a counter."""

    counter: Annotated[CounterName, Role.BRINGS]
    add: Annotated[Number, COUNTED] = 0
    """The number added to the counter; may be negative."""
    to: Annotated[Number, COUNTED] | None = None
    """A value given to the counter before `add` is added."""


@part(Step, "set", inline="values")
class SetCounters(Step):
    """Set several counters. All new values are computed before any counter changes."""

    values: Mapping[Annotated[CounterName, Role.BRINGS], Annotated[Number, COUNTED, Role.FLAG]]
    """The new value of each counter, by the counter's name."""


@part(Step, "when")
class When(Step):
    """Resolve one of two effects, depending on a requirement."""

    holds: Requirement
    """The requirement that decides between the two effects."""
    then: Effect = ()
    """The effect resolved if the requirement holds."""
    otherwise: Effect = ()
    """The effect resolved if the requirement does not hold."""


@attrs.frozen
class EffectChoice:
    """One option of a choice."""

    text: StoryText
    effect: Effect = ()
    when: Requirement | None = None
    """A requirement. The option is offered only if the requirement holds."""


class By(enum.Enum):
    """The investigators who make a choice, and whether others see the choice."""

    ACTOR = "actor"
    """The actor chooses, and everybody sees the choice."""
    GROUP = "group"
    """The investigators decide together. Rule CONFLICT-1."""
    VOTE = "vote"
    """Everybody votes in secret, then all votes are shown. A tie is broken at random."""
    SECRET = "secret"  # noqa: S105  # a way of choosing
    """The actor chooses, and nobody else learns the choice."""


@part(Step, "choose")
class Choose(Step):
    """Let investigators choose how the story continues. Rules INTERACT-3 and CONFLICT-1."""

    prompt: StoryText
    """The id of the question in the words."""
    options: tuple[EffectChoice, ...]
    by: By = By.ACTOR
    """The investigators who choose."""


@part(Step, "for_each")
class ForEach(Step):
    """
    Resolve an effect for several investigators, each in turn the actor.

    They are in seat order. Where the order can change the result, the investigators choose it
    (CONFLICT-2).
    """

    who: Anybody
    effect: Effect


@attrs.frozen
class Way:
    """
    An effect that `one_of` may pick at random.

    The short form is the effect alone.
    """

    effect: Annotated[Effect, Role.SHORT]
    weight: Annotated[int, ONE_UP] = 1
    """The chance of this effect, relative to the other effects."""
    when: Requirement | None = None
    """A requirement. The effect cannot be picked while the requirement does not hold."""


@part(Step, "one_of", inline="ways")
class OneOf(Step):
    """Resolve one of several effects, picked at random. Rule RANDOM-1."""

    ways: tuple[Way, ...]


@part(Step, "draw", inline="deck")
class Draw(Step):
    """Resolve one card of a deck of the scenario, picked at random. Rule RANDOM-1."""

    deck: Annotated[DeckName, NumberedText, Role.BRINGS]


@part(Step, "deal")
class Deal(Step):
    """
    Set a counter to a secret number between two bounds, each equally likely. Rule RANDOM-1.

    The number is dealt from a facedown pile, never picked where everybody sees it.
    """

    counter: Annotated[CounterName, Role.BRINGS]
    from_: Annotated[int, COUNTED]
    """The lowest number that can be dealt."""
    to: Annotated[int, COUNTED]
    """The highest number that can be dealt."""
    fresh: bool = False
    """Whether numbers dealt before are left out until every number has been dealt."""


@part(Step, "return", inline="value")
class Return(Step):
    """End the named effect that is being resolved; outside of one, end the whole effect."""

    value: bool = True


@part(Step, "start_timer", inline="timer")
class StartTimer(Step):
    """Start a timer of the scenario, or start it again."""

    timer: Annotated[TimerName, Role.BRINGS]


@part(Step, "stop_timer", inline="timer")
class StopTimer(Step):
    """Stop a timer, if it runs; its effect is not resolved."""

    timer: Annotated[TimerName, Role.ASKS]


@part(Step, "attempt")
class Attempt(Step):
    """The actor attempts a puzzle of the scenario, of any type. Rules PUZZLE-1 to PUZZLE-10."""

    puzzle: Annotated[PuzzleId, Role.BRINGS]
    skill: Skill
    solved: Effect = ()
    """The effect resolved once the puzzle is solved."""
    unsolved: Effect = ()
    """The effect resolved if the puzzle is left unsolved."""
    more: Number = 0
    """Number of steps added to the steps that the skill gives. Rule PUZZLE-3."""


@part(Step, "call", inline="effect")
class Call(Step):
    """Resolve a named effect of the scenario, then go on."""

    effect: Annotated[EffectName, Role.BRINGS]


@part(Step, "stop_countdown", inline="value")
class StopCountdown(Step):
    """
    Stop the countdown that an elimination began. Rule ELIMINATED-5.

    The game goes on; the next elimination begins another countdown.
    """

    value: bool = True


@attrs.frozen
class OwnResult:
    """A result of the game for each investigator who meets a requirement."""

    when: Requirement
    won: bool
    text: ActorText
    """The reason for the result; `{0}` in the text stands for the investigator."""


@part(Step, "end")
class End(Step):
    """The game ends. Rules WIN-3 and WIN-5."""

    won: bool
    epilogue: PlainText
    """The id, in the words, of the text shown at the end."""
    results: tuple[OwnResult, ...] = ()
    """Results of single investigators. An investigator gets the first result whose requirement they
    meet. Rules WIN-6 and WIN-7."""
