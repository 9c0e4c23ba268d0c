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
    """Numbers that the text tells, at `{2}`, `{3}` and so on, as they are when it is set."""


@part(Step, "count")
class Count(Step):
    """Change a counter."""

    counter: Annotated[CounterName, Role.BRINGS]
    add: Annotated[Number, COUNTED] = 0
    """The number added to it; may be negative."""
    to: Annotated[Number, COUNTED] | None = None
    """The counter is set to this first, before `add`."""


@part(Step, "set", inline="values")
class SetCounters(Step):
    """Set counters. All numbers are worked out before any of them is set."""

    values: Mapping[Annotated[CounterName, Role.BRINGS], Annotated[Number, COUNTED, Role.FLAG]]
    """Counter -> its new value."""


@part(Step, "when")
class When(Step):
    """Resolve one effect or another, by a requirement."""

    holds: Requirement
    """The requirement."""
    then: Effect = ()
    """Resolved if it holds."""
    otherwise: Effect = ()
    """Resolved if not."""


@attrs.frozen
class EffectChoice:
    """One option of a choice."""

    text: StoryText
    effect: Effect = ()
    when: Requirement | None = None
    """Offered only if this holds."""


class By(enum.Enum):
    """The investigators who choose, and whether others see it."""

    ACTOR = "actor"
    """The actor, for all to see."""
    GROUP = "group"
    """The investigators decide together. Rule CONFLICT-1."""
    VOTE = "vote"
    """Everybody votes unseen; then the votes are shown. Chance settles a tie."""
    SECRET = "secret"  # noqa: S105  # a way of choosing
    """The actor; nobody else learns the choice."""


@part(Step, "choose")
class Choose(Step):
    """Somebody chooses how the story goes on. Rules INTERACT-3 and CONFLICT-1."""

    prompt: StoryText
    """The subject of the question."""
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
    """One effect that chance can pick. The short form is the effect alone."""

    effect: Annotated[Effect, Role.SHORT]
    weight: Annotated[int, ONE_UP] = 1
    """Its chance, relative to the other effects."""
    when: Requirement | None = None
    """The effect is left out if this does not hold."""


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
    Set a counter to a number that nobody learns, each equally likely. Rule RANDOM-1.

    It is dealt from a pile that lies facedown, never picked in view of all.
    """

    counter: Annotated[CounterName, Role.BRINGS]
    from_: Annotated[int, COUNTED]
    """The least number that can come."""
    to: Annotated[int, COUNTED]
    """The greatest number that can come."""
    fresh: bool = False
    """Whether numbers that were dealt before are left out, until all have been dealt."""


@part(Step, "return", inline="value")
class Return(Step):
    """End the named effect that is being resolved, else the whole effect."""

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
    """Resolved once it is solved."""
    unsolved: Effect = ()
    """Resolved if it is left unsolved."""
    more: Number = 0
    """Steps in addition to those that the skill gives. Rule PUZZLE-3."""


@part(Step, "call", inline="effect")
class Call(Step):
    """Resolve a named effect of the scenario, then go on."""

    effect: Annotated[EffectName, Role.BRINGS]


@attrs.frozen
class OwnResult:
    """The end of the game for each investigator who meets a requirement."""

    when: Requirement
    won: bool
    text: ActorText
    """The reason; `{0}` in it is the investigator."""


@part(Step, "end")
class End(Step):
    """The game ends. Rules WIN-3 and WIN-5."""

    won: bool
    epilogue: PlainText
    """The subject of the text at the end."""
    results: tuple[OwnResult, ...] = ()
    """The first whose requirement an investigator meets is their result. Rules WIN-6 and WIN-7."""
