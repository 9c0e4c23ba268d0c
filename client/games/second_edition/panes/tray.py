"""
The tray: dice that fall over the board, with their purpose and their result.

The tray covers a part of the screen for a moment and takes no keys. If a question shows the same
dice, no tray is drawn.
"""

from collections.abc import Sequence

import attrs

from client.games.second_edition.panes.dice import Dice, dice_columns, dice_rows, draw_dice
from client.games.second_edition.panes.scene import SecondEditionScene
from client.games.second_edition.rolls import Roll
from client.text.printable import width_of, wrap
from client.widgets.canvas import Pane
from client.widgets.pages import draw_box

_FRAME = 2
_SIDES = 4
"""Columns of the frame, including the blanks inside."""
_LEAST = 16
"""The minimum number of text columns for which a tray is drawn."""


@attrs.frozen
class _Throw:
    """A roll in the tray: its title, its dice and its result."""

    roll: Roll
    heading: tuple[str, ...]
    result: str
    """The result in words; empty while the roll is not settled."""
    width: int
    is_large: bool = False

    @property
    def dice_rows(self) -> int:
        return dice_rows(len(self.roll.faces), self.width, is_large=self.is_large)

    @property
    def rows(self) -> int:
        """The number of rows, with a row for a result that is not known yet."""
        return len(self.heading) + self.dice_rows + 1

    @property
    def columns(self) -> int:
        """The number of columns of the widest line."""
        dice = dice_columns(len(self.roll.faces), self.width)
        return max(dice, *(width_of(line) for line in (*self.heading, self.result)))

    def draw(self, pane: Pane, scene: SecondEditionScene, now: float, touched: float) -> None:
        """Draw the roll at the top of a pane."""
        for row, line in enumerate(self.heading):
            pane.write(row, 0, line, "class:journal.dice")
        dice = seen(self.roll, now, touched)
        below = pane.inner(len(self.heading), 0)
        draw_dice(below, dice, scene.charset, is_large=self.is_large)
        if not dice.falling:
            below.write_clipped(self.dice_rows, 0, self.result, "class:prompt")


def seen(roll: Roll, now: float, touched: float) -> Dice:
    """Return the dice of a roll as they look at the time `now`."""
    falling = roll.falling(now, touched)
    return Dice(roll.faces_at(falling, now), roll.converted, falling=falling)


def draw_tray(
    pane: Pane, scene: SecondEditionScene, rolls: Sequence[Roll], now: float, touched: float
) -> int:
    """
    Draw rolls at the top of a pane; draw as many of the latest rolls as fit.

    A single roll is drawn large if there is room.

    Args:
        pane: the part of the screen that the tray may cover.
        scene: the table.
        rolls: the rolls, the latest last.
        now: the current time in seconds.
        touched: the time of the last key in seconds.

    Returns:
        The number of rows used; 0 if there is nothing to show or nothing fits.
    """
    width, left = pane.columns - _SIDES, pane.rows - _FRAME
    throws: list[_Throw] = []
    # The latest rolls first, as many as fit; shown in the order in which they were made.
    for roll in reversed(rolls) if width >= _LEAST else ():
        heading = tuple(wrap(_heading(scene, roll), width))
        throw = _Throw(roll, heading, _result(scene, roll), width)
        left -= throw.rows
        if left < 0:
            break
        throws.insert(0, throw)
    if len(rolls) == 1 and throws:
        large = attrs.evolve(throws[0], is_large=True)
        throws = [large] if large.rows <= pane.rows - _FRAME else throws
    if not throws:
        return 0
    rows = sum(throw.rows for throw in throws) + _FRAME
    columns = min(width, max(throw.columns for throw in throws)) + _SIDES
    box = pane.inner(0, (pane.columns - columns) // 2, rows, columns)
    inner = draw_box(box, scene.speaker.say("dice.title"), scene.charset)
    for throw in throws:
        throw.draw(inner, scene, now, touched)
        inner = inner.inner(throw.rows, 0)
    return rows


def _heading(scene: SecondEditionScene, roll: Roll) -> str:
    """Return the purpose of a roll, in the words of the journal."""
    speaker = scene.speaker
    if roll.investigator is not None and roll.skill is not None:
        who = speaker.name("investigator", roll.investigator)
        skill = speaker.say(f"skill.{roll.skill.value}")
        if roll.needed is None:
            return speaker.say("journal.test_open", who, skill, roll.pool)
        return speaker.say("journal.test", who, skill, roll.pool, roll.needed)
    if roll.monster is not None:
        return speaker.say("dice.assault", speaker.monster_named(scene.table, roll.monster))
    return speaker.say("dice.opposed")


def _result(scene: SecondEditionScene, roll: Roll) -> str:
    say = scene.speaker.say
    if roll.monster is not None:
        return say("dice.broken" if roll.has_worked else "dice.held")
    if roll.successes is None:
        return ""
    key = {True: "passed", False: "failed", None: "successes"}[roll.has_worked]
    return say(f"journal.{key}", roll.successes)
