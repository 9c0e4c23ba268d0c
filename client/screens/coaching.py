"""Draws the coach's lesson in a strip above the two lowest lines."""

from client.keymap.keys import Action, Context
from client.plugs.lessons import Glance
from client.screens.base.screen import CannotDo, Desk
from client.teaching.coach import COACHING, words_of
from client.text.printable import wrap
from client.widgets.canvas import NARROW, Pane
from client.widgets.frame import SMALLEST
from client.widgets.pages import draw_rule

LEAST_LINES = 2
"""The minimum height of a strip, so that the screen above does not move with each lesson."""
MOST_LINES = 4
_MOST_NARROW = 7
"""The maximum height on a narrow terminal, where lines break earlier."""
_MARGIN = 1


def strip_lines(desk: Desk, context: Context, rows: int, columns: int) -> list[str]:
    """
    Return the lines of the coach's lesson; none without a lesson or without room.

    Args:
        desk: the desk with the coach.
        context: the context that receives the keys.
        rows: the rows of the whole screen.
        columns: the columns of the screen.
    """
    model, coach = desk.model, desk.coach
    if coach is None:
        return []
    view = None if model.is_catching_up else desk.shown.view
    lesson = coach.lesson_for(Glance(view, context))
    if lesson is None:
        return []
    said = wrap(words_of(lesson, model.spoken, is_plain=False), columns - 2 * _MARGIN)
    most = _MOST_NARROW if columns < NARROW else MOST_LINES
    lines = said[:most] + [""] * (LEAST_LINES - len(said))
    # On a wide screen the strip must leave the game its minimum of rows.
    return lines if columns < NARROW or rows - len(lines) > SMALLEST[0] else []


def lies_over(rows: int, columns: int) -> bool:
    """Return whether the strip is drawn over the screen, because there are no rows to spare."""
    return columns < NARROW and rows - _MOST_NARROW <= SMALLEST[0]


def strip_rows(lines: list[str]) -> int:
    """Return the number of rows of the strip: its lines and the rule above."""
    return len(lines) + 1 if lines else 0


def draw_strip(pane: Pane, desk: Desk, lines: list[str]) -> None:
    """Draw a rule with the coach's keys, and the lesson below it; nothing without lines."""
    if not lines:
        return
    draw_rule(pane, 0, desk.say("coach.title"), desk.charset, style="class:title.open")
    keys = f" {desk.say('coach.keys')} "
    pane.inner(0, 0, 1, pane.columns - 1).write_right(0, keys, "class:hint")
    for row, line in enumerate(lines, 1):
        pane.write(row, _MARGIN, line)


def act(desk: Desk, action: Action) -> bool:
    """
    Tell the coach about an action; return whether the action was for the coach alone.

    Raises:
        CannotDo: there is no coach, or no lesson to close.
    """
    coach = desk.coach
    if action not in COACHING:
        if coach is not None:
            coach.record_action(action)
        return False
    if coach is None:
        raise CannotDo("wrong.no_coach")
    if action is Action.LESSON:
        if not coach.go_on():
            raise CannotDo("wrong.no_lesson")
    elif not coach.switch():
        desk.model.tell(desk.say("coach.quiet"))
    return True
