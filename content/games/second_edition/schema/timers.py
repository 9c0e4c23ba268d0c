"""Timers: what happens after so many rounds or turns."""

import attrs

from content.games.second_edition.schema.effects import Effect, Number


@attrs.frozen
class Timer:
    """
    A timer of a scenario, once `start_timer` starts it.

    It counts down at the end of each round, the one in which it is started among them, or at the
    end of each turn; when nothing is left, its effect is resolved.
    """

    effect: Effect
    rounds: Number | None = None
    turns: Number | None = None
    """Exactly one of `rounds` and `turns` is given."""
    seen: bool = True
    """Whether it lies on the table for all to see; else nobody knows that it runs."""
    text: str | None = None
    """What people read of a timer that is `seen`."""
