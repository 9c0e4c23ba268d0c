"""
Resolver: runs the steps of an effect, as content declares them, through a registry of functions.

A game makes one `Resolver` and registers a function for each class of step. A step that contains
other steps calls `resolve` for them. Every function has the same shape: it receives a `Run` and the
step, and returns the outcome of the effect so far, or None if the step does not change it.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Generic, TypeVar

import attrs

from protocol.values import frozen
from server.kernel.game import Game

GameT = TypeVar("GameT", bound=Game[Any, Any])
SourceT = TypeVar("SourceT")
OutcomeT = TypeVar("OutcomeT")
StepT = TypeVar("StepT")
AnyRun = TypeVar("AnyRun")
StepFunction = Callable[[AnyRun, StepT], Awaitable[OutcomeT | None]]


@frozen
class Run(Generic[GameT, SourceT, OutcomeT]):
    """State of one effect while its steps are resolved."""

    game: GameT
    source: SourceT
    """The card, token or piece that has the effect, with the characters that it concerns."""
    outcome: OutcomeT
    """Result of the steps before the present one."""


RunT = TypeVar("RunT", bound=Run[Any, Any, Any])


@attrs.frozen
class Known:
    """Registered function of a kind of step."""

    function: Callable[[Any, Any], Awaitable[Any]]
    by_actor: bool
    """True if the actor has to carry out the step."""


@attrs.define
class Resolver(Generic[GameT, SourceT, OutcomeT, RunT]):
    """Registry of the kinds of step of one game."""

    start: Callable[[GameT, SourceT, OutcomeT], RunT]
    """Makes the first argument of step functions: `Run`, or a subclass with methods of the game."""
    is_passed_over: Callable[[GameT, SourceT], bool]
    """
    Returns True if the actor can no longer act. Steps declared with `by_actor` are then skipped.
    """
    is_returned: Callable[[OutcomeT], bool]
    """Returns True if the rest of the effect is skipped."""
    known: dict[type, Known] = attrs.field(factory=dict)
    """Functions by class of step."""
    followers: list[Callable[[GameT, SourceT], Awaitable[None]]] = attrs.field(factory=list)
    """Checks that run after every step, in order of registration."""

    def resolves(
        self, kind: type[StepT], *, by_actor: bool = False
    ) -> Callable[[StepFunction[RunT, StepT, OutcomeT]], StepFunction[RunT, StepT, OutcomeT]]:
        """
        Register the decorated function for a kind of step.

        Args:
            kind: class of the step.
            by_actor: True if the actor carries out the step, which is skipped if the actor is
                passed over.

        Raises:
            ValueError: the kind has a function already.
        """

        def declare(
            function: StepFunction[RunT, StepT, OutcomeT],
        ) -> StepFunction[RunT, StepT, OutcomeT]:
            if kind in self.known:
                first = self.known[kind].function.__qualname__
                raise ValueError(
                    f"{kind.__name__} is resolved twice: by {first} and by {function.__qualname__}"
                )
            self.known[kind] = Known(function, by_actor)
            return function

        return declare

    def follows(
        self, follower: Callable[[GameT, SourceT], Awaitable[None]]
    ) -> Callable[[GameT, SourceT], Awaitable[None]]:
        """Register a check that runs after every step."""
        self.followers.append(follower)
        return follower

    async def resolve(
        self, game: GameT, effect: Iterable[Any], source: SourceT, outcome: OutcomeT
    ) -> OutcomeT:
        """
        Resolve the steps of an effect in order, and return the outcome.

        The rest is skipped once the outcome is marked as returned.
        """
        for step in effect:
            known = self.known[type(step)]
            if known.by_actor and self.is_passed_over(game, source):
                continue
            changed: OutcomeT | None = await known.function(self.start(game, source, outcome), step)
            outcome = outcome if changed is None else changed
            # Also after the last step, and after one that returns: it may have changed a counter.
            for follower in self.followers:
                await follower(game, source)
            # Content decides how long an effect is, so others are served after each step.
            await game.pause()
            if self.is_returned(outcome):
                break
        return outcome
