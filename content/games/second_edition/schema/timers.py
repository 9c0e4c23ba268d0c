"""Timers: effects that come after some rounds or turns."""

from typing import Annotated

import attrs

from content.games.second_edition.schema.effects import Effect, Number
from content.games.second_edition.schema.kinds import ONE_UP, PlainText


@attrs.frozen
class Timer:
    """
    A timer of a scenario, which the step `start_timer` starts.

    It counts down at the end of each round, including the round in which it starts, or at the end
    of each turn. When nothing is left, its effect is resolved.
    """

    effect: Effect
    rounds: Annotated[Number, ONE_UP] | None = None
    """Number of rounds. Exactly one of `rounds` and `turns` must be given."""
    turns: Annotated[Number, ONE_UP] | None = None
    """Number of turns. Exactly one of `rounds` and `turns` must be given."""
    seen: bool = True
    """Whether everybody sees the timer; if not, nobody knows that it runs."""
    text: PlainText | None = None
    """The text shown with a timer that is `seen`."""
