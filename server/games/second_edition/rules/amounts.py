"""Amounts: numbers of the content that depend on the game, the group or earlier events."""

from content.games.second_edition.schema.effects import Number
from server.games.second_edition.rules.expressions import View, value
from server.games.second_edition.rules.play import Outcome, Play, Source

MOST = 999
"""Maximum absolute value of any amount; larger amounts are clamped."""


def scaled(
    play: Play, amount: Number, source: Source | None = None, so_far: Outcome | None = None
) -> int:
    """
    Return an amount for this game, at least 0. DECIDE-150.

    Args:
        play: the game.
        amount: the number in the content.
        source: source of the effect that has the amount, if any.
        so_far: outcome of that effect so far.
    """
    return max(0, signed(play, amount, source, so_far))


def signed(
    play: Play, amount: Number, source: Source | None = None, so_far: Outcome | None = None
) -> int:
    """Return an amount that may be below 0, such as a modifier, within ±`MOST`. DECIDE-150."""
    return max(-MOST, min(MOST, exact(play, amount, source, so_far)))


def exact(
    play: Play, amount: Number, source: Source | None = None, so_far: Outcome | None = None
) -> int:
    """Return an amount without any bounds, for counters, which have bounds of their own."""
    if isinstance(amount, int):
        return amount
    group = len(play.table.investigators)
    view = View(
        play,
        None if source is None else source.actor,
        0 if so_far is None else so_far.successes,
        source,
    )
    listed = amount.listed[min(group, len(amount.listed)) - 1] if amount.listed else 0
    formula = 0 if amount.formula is None else value(amount.formula, view)
    return amount.base + amount.each * group + listed + formula
