"""
Dice: drawn large or small, at rest or falling.

Every die is a sign in a box, or in brackets if it is small, so that no meaning depends on colour. A
choice that points at a die puts brackets around the sign of a large die, and arrows around a small
one.
"""

import attrs

from client.games.second_edition.tellers.base import DICE
from client.settings.preferences import Charset
from client.widgets.canvas import Pane
from client.widgets.outline import draw_outline
from protocol.games.second_edition.table import Face

CONVERTED = "[+]"
"""A die that a Clue has turned into a success."""
LARGE_ROWS = 3
_CELL = 6
"""Columns of a die with the gap after it, large or small."""
_LIT = "class:map.lit"


@attrs.frozen
class Dice:
    """Several dice at one moment."""

    faces: tuple[Face, ...]
    converted: frozenset[int] = frozenset()
    """Positions of dice that Clues turned into successes."""
    lit: frozenset[int] = frozenset()
    """Positions of dice that a choice points at."""
    falling: frozenset[int] = frozenset()
    """Positions of dice that still fall."""

    def sign(self, at: int) -> str:
        """Return the character that a die shows."""
        is_converted = at in self.converted and at not in self.falling
        return (CONVERTED if is_converted else DICE[self.faces[at]])[1]


def dice_rows(count: int, columns: int, *, is_large: bool) -> int:
    """Return the number of rows for `count` dice in a pane of `columns` columns."""
    in_a_row = max(1, columns // _CELL)
    return -(-count // in_a_row) * (LARGE_ROWS if is_large else 1)


def dice_columns(count: int, columns: int) -> int:
    """Return the number of columns for `count` dice in a pane of `columns` columns."""
    return _CELL * min(count, max(1, columns // _CELL))


def draw_dice(
    pane: Pane, dice: Dice, charset: Charset, *, is_large: bool, can_click: bool = False
) -> None:
    """Draw dice from the upper left of a pane, wrapped into rows."""
    in_a_row = max(1, pane.columns // _CELL)
    for at in range(len(dice.faces)):
        row, column = divmod(at, in_a_row)
        high = LARGE_ROWS if is_large else 1
        die = pane.inner(row * high, column * _CELL, high, _CELL)
        is_lit, is_falling = at in dice.lit, at in dice.falling
        style = _LIT if is_lit else "class:dim" if is_falling else "class:journal.dice"
        if is_large:
            ends = "[]" if is_lit else "  "
            draw_outline(die.inner(0, 0, LARGE_ROWS, _CELL - 1), charset, style=style)
            die.write(1, 1, f"{ends[0]}{dice.sign(at)}{ends[1]}", style)
        else:
            # A small die has brackets of its own: arrows mark the one that is pointed at.
            ends = "><" if is_lit else "  "
            die.write(0, 0, f"{ends[0]}[{dice.sign(at)}]{ends[1]}", style)
        if can_click:
            die.spot("die", str(at))
