"""
Effects: the scenario engine, which resolves what content says, step by step.

Each kind of step has its resolver in one of the modules of `steps`, which the package itself
imports. A step that somebody has to carry out who has just been eliminated is passed over; what
concerns others, the board or the story goes on (DECIDE-69).
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from content.games.second_edition.schema.effects import Effect, Step
from protocol.common.text import Text
from protocol.values import frozen
from server.games.second_edition.rules import naming
from server.games.second_edition.rules.play import Outcome, Play, Source

S = TypeVar("S", bound=Step)
Resolver = Callable[[Play, S, Source, Outcome], Awaitable[Outcome]]


@frozen
class _Known:
    resolver: Resolver[Any]
    by_actor: bool


_KNOWN: dict[type, _Known] = {}


def resolves(kind: type[S], *, by_actor: bool = False) -> Callable[[Resolver[S]], Resolver[S]]:
    """
    Declare the resolver of a kind of step.

    It is given the step, what the effect comes from, and what the effect has led to so far, and
    returns that with its own share.

    Args:
        kind: the class of the step.
        by_actor: whether it takes the actor to do it; then it is passed over once the actor is
            eliminated.
    """

    def declare(resolver: Resolver[S]) -> Resolver[S]:
        _KNOWN[kind] = _Known(resolver, by_actor)
        return resolver

    return declare


Follower = Callable[[Play, Source], Awaitable[None]]

_FOLLOWERS: list[Follower] = []


def follows(follower: Follower) -> Follower:
    """Declare a check that runs after every step; it is given the source of the step."""
    _FOLLOWERS.append(follower)
    return follower


def resolved_kinds() -> tuple[type, ...]:
    """Return every kind of step that has a resolver."""
    return tuple(_KNOWN)


async def resolve(
    play: Play, effect: Effect, source: Source, so_far: Outcome | None = None
) -> Outcome:
    """
    Resolve an effect to its end, unless the game ends first.

    Args:
        effect: the steps, in their order. Rules GOLDEN-1 and DECIDE-69.
        source: what it comes from.
        so_far: what the effect around this one has led to; for the resolvers of steps.
    """
    outcome = so_far or Outcome(whole=effect)
    for step in effect:
        known = _KNOWN[type(step)]
        if known.by_actor and play.table.investigators[source.actor].is_eliminated:
            continue
        outcome = await known.resolver(play, step, source, outcome)
        for follower in _FOLLOWERS:
            await follower(play, source)
        # Content decides how long an effect is.
        await play.pause()
        if outcome.is_returned:
            break
    return outcome


def story(play: Play, subject: str, source: Source) -> Text:
    """Return a text of the pack; `{0}` in it is the actor, `{1}` the monster."""
    if source.monster is None or source.monster not in play.table.monsters:
        return Text(subject, (source.actor,))
    return Text(subject, (source.actor, naming.monster(play.table, source.monster)))
