"""Course: what everybody sees a scenario do, batch by batch.

Nobody may know a number that was dealt, but the scenario may check it and openly take one way or
the other. While two games have the same course, their secrets have not shown; after the batch in
which the courses differ, the games may look different.

The course is taken from the content being resolved, never from the records: the steps resolved,
amounts with an open effect, the scenario's options offered, results, and what a campaign keeps. It
excludes effects of memory steps (`count`) and the lists that draws are made from.

Public facts are equal in both games. If a requirement about them is answered differently while the
courses are still equal, a rule read something hidden.
"""

import contextlib
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from unittest import mock

import attrs

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema import requirements as asked
from content.games.second_edition.schema.counters import Scope
from server.games.second_edition.rules import (
    counters,
    effects,
    endings,
    expressions,
    requirements,
    tokens,
)
from server.games.second_edition.rules.steps import choices

MEMORY = (schema.Count, schema.SetCounters)
"""Steps that only write numbers of the scenario, which nobody sees."""

DRAWS = (schema.Deal, schema.OneOf, schema.Draw)
"""
Steps that draw something hidden. Everybody can see that they draw, except behind a secret choice.
"""

STRUCTURE = (schema.When, schema.Call, schema.Return)
"""Steps that only lead to other steps, by ways that nobody sees."""

OPEN = (
    *(asked.HasItem, asked.AnyoneHasItem, asked.HasTrait, asked.AnyoneHasTrait, asked.HasSpell),
    *(asked.HasCondition, asked.Is, asked.InPlay, asked.Standing, asked.HasClues),
    *(asked.IsWounded, asked.IsInsane, asked.IsEliminated, asked.Investigators, asked.Round),
    *(asked.InRoom, asked.InSpace, asked.AnyoneIn, asked.WithOthers, asked.RoomIsOpen),
    *(asked.RoomTrait, asked.TokenOnBoard, asked.FeatureOnBoard, asked.Monsters),
    asked.MonsterHere,
)
"""Requirements about public facts: only hidden numbers may part courses."""


@attrs.define(eq=False)
class Course:
    """Recorder of the course of one game."""

    batches: list[list[object]] = attrs.field(factory=lambda: [[]])
    """Notes by batch: first for the time without input, then after each input."""
    answers: list[list[tuple[object, ...]]] = attrs.field(factory=lambda: [[]])
    """Notes of the same batches: every requirement with its answer."""
    _depth: int = attrs.field(default=0, init=False)
    """Nesting depth of the requirements and expressions being evaluated."""
    _is_memory: bool = attrs.field(default=False, init=False)
    """True while a step of the memory is being resolved. No such step waits for an answer."""

    def next(self) -> None:
        """Begin the notes of the next batch."""
        self.batches.append([])
        self.answers.append([])

    _secrets: int = attrs.field(default=0, init=False)
    """Number of secret choices whose effects are being resolved, one inside the other."""

    def is_like(self, other: "Course") -> bool:
        """True if the last batch equals that of another game."""
        return self.batches[-1] == other.batches[len(self.batches) - 1]

    def note(self, *what: object) -> None:
        """Record something that everybody sees."""
        self.batches[-1].append(what)
        self.answers[-1].append(what)

    def misanswered(self, other: "Course") -> str | None:
        """Return the public requirement that the last batch first answers differently.

        Return None if something else differed before, which the scenario may do.
        """
        for mine, theirs in zip(
            self.answers[-1], other.answers[len(self.answers) - 1], strict=False
        ):
            if mine != theirs:
                is_same = mine[:-1] == theirs[:-1] and mine[0] == "answered"
                return str(mine[1]) if is_same and isinstance(mine[1], OPEN) else None
        return None

    def _note_step(self, step: Any, actor: str) -> None:
        if isinstance(step, DRAWS):
            if not self._secrets:
                # Which counter is dealt to and which deck is drawn from shows in the purpose.
                self.note(type(step), getattr(step, "counter", ""), getattr(step, "deck", ""))
        elif not isinstance(step, MEMORY + STRUCTURE):
            # What a secret choice does in the open, its author tells: not so what comes later.
            self.note(step, actor, self._secrets > 0)

    def resolver(self, kind: type, honest: Any) -> Any:
        """Return a resolver that records its steps."""

        async def resolve(context: Any, step: Any) -> Any:
            self._note_step(step, context.source.actor)
            is_secret = kind is schema.Choose and step.by is schema.By.SECRET
            self._secrets += is_secret
            self._is_memory = kind in MEMORY
            try:
                return await honest.function(context, step)
            finally:
                self._is_memory = False
                self._secrets -= is_secret

        return attrs.evolve(honest, function=resolve)

    def working(self, honest: Callable[..., Any], *, is_number: bool) -> Callable[..., Any]:
        """Return a wrapper that records answers, and the numbers whose effect everybody sees."""

        def work_out(what: Any, view: Any) -> Any:
            self._depth += 1
            try:
                result = honest(what, view)
            finally:
                self._depth -= 1
            self.answers[-1].append(("answered", what, view.investigator, result))
            if is_number and not self._depth and not self._is_memory:
                self.note("amount", result)
            return result

        return work_out

    def offering(self, honest: Callable[..., bool]) -> Callable[..., bool]:
        """Return a wrapper that records whether an option is offered."""

        def holds(play: Any, requirement: Any, *rest: Any) -> bool:
            answer = honest(play, requirement, *rest)
            self.note("offered", answer)
            return answer

        return holds


@contextlib.contextmanager
def followed(course: Course) -> Iterator[None]:
    """Record the course of any game played inside the context."""
    offered = SimpleNamespace(holds=course.offering(requirements.holds))
    kept = counters.left_over

    def left_over(play: Any) -> Any:
        for name, counter in play.content.scenario.counters.items():
            if counter.of is Scope.CAMPAIGN:
                course.note("kept", counters.value(play, name))
        return kept(play)

    with contextlib.ExitStack() as patches:
        for table, known in (
            (effects.STEPS.known, course.resolver),
            (requirements._ANSWERS, lambda _, one: course.working(one, is_number=False)),
            (expressions._VALUES, lambda _, one: course.working(one, is_number=True)),
        ):
            fresh = {kind: known(kind, one) for kind, one in table.items()}
            patches.enter_context(mock.patch.dict(table, fresh))
        for module in (tokens, endings):
            patches.enter_context(mock.patch.object(module, "requirements", offered))
        offering = course.offering(requirements.holds_for)
        patches.enter_context(mock.patch.object(choices, "holds_for", offering))
        patches.enter_context(mock.patch.object(counters, "left_over", left_over))
        yield
