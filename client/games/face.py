"""
The face of a game: what the client shows of it, and how, beyond what every game has.

A game without a face is drawn from its questions and its records alone.
"""

import functools
from collections.abc import Callable, Mapping

import attrs

from client.games.brains import Brain, pick_random
from client.games.lessons import Lesson
from protocol.common.table import GameTable
from protocol.plugs import UnknownGameError, plug


def _no_result(_: GameTable) -> Mapping[str, bool | int]:
    return {}


@attrs.frozen
class GameFace:
    """What one game brings to the client; each field has a default that suits any game."""

    ruleset: str
    bot: Mapping[str, Brain] = attrs.field(factory=dict)
    """How a bot plays, by role; that of the role `""` for every role that is not named."""
    lessons: Mapping[str, tuple[Lesson, ...]] = attrs.field(factory=dict)
    """What the coach teaches, by role as for `bot`; nothing where the game does not say."""
    plain: Callable[[], object] | None = None
    """
    Gives what plain mode has of the game, a `client.plain.game.PlainGame`, when it first meets the
    game; None where it has nothing.
    """

    result: Callable[[GameTable], Mapping[str, bool | int]] = _no_result
    """What a bot reports of how a game ended, by the names that a script knows."""

    def brain(self, role: str = "") -> Brain:
        """Return how a bot plays a role: at random where the game does not say."""
        return self.bot.get(role, self.bot.get("", pick_random))

    def lessons_for(self, role: str = "") -> tuple[Lesson, ...]:
        """Return what the coach teaches somebody who plays a role."""
        return self.lessons.get(role, self.lessons.get("", ()))


@functools.cache
def face_of(ruleset: str) -> GameFace:
    """Return the face of a game; that of no game in particular, if none is installed."""
    try:
        found = plug("client", ruleset, "face").FACE
    except UnknownGameError:
        return GameFace(ruleset)
    assert isinstance(found, GameFace)
    return found
