"""Amounts: numbers of the content that differ by game, by group, or by what has happened."""

from content.games.second_edition.schema.effects import Number
from server.games.second_edition.rules.expressions import View, value
from server.games.second_edition.rules.play import Outcome, Play, Source

MOST = 999
"""The largest amount of anything, also below zero; what is farther from zero is cut to it."""


def scaled(
    play: Play, amount: Number, source: Source | None = None, so_far: Outcome | None = None
) -> int:
    """
    Return how many of something, for this game: never fewer than none. DECIDE-150.

    Args:
        play: the game.
        amount: the number as it is written.
        source: what the effect comes from in which it stands, if it stands in one.
        so_far: what that effect has led to.
    """
    return max(0, signed(play, amount, source, so_far))


def signed(
    play: Play, amount: Number, source: Source | None = None, so_far: Outcome | None = None
) -> int:
    """Return a number that may be below zero, such as a modifier. DECIDE-150."""
    return max(-MOST, min(MOST, exact(play, amount, source, so_far)))


def exact(
    play: Play, amount: Number, source: Source | None = None, so_far: Outcome | None = None
) -> int:
    """Return a number as it is, for a counter, which has bounds of its own."""
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
