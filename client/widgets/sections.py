"""Sections below one another in a column: each with as many details as there is room for."""

from collections.abc import Sequence

import attrs

from client.settings.preferences import Charset
from client.widgets.bits import Line, draw_bits
from client.widgets.canvas import Pane
from client.widgets.pages import draw_rule

_LEAST_CUT = 3
"""Lines of a section that may be cut, below which it is left out."""


@attrs.frozen
class Section:
    """A part of a column, in several forms."""

    title: str
    forms: tuple[Sequence[Line], ...]
    """The same in ever fewer lines, the longest form first; empty if there is nothing to show."""
    is_needed: bool = False
    """Whether other sections leave it room."""


@attrs.define
class _Shown:
    """A section in the form in which it is drawn."""

    section: Section
    lines: Sequence[Line]
    rows: int
    """Rows for the lines, without the title."""


def draw_sections(
    pane: Pane, charset: Charset, sections: Sequence[Section], good_below: int, least_below: int
) -> int:
    """
    Draw sections from the top: the needed ones first, then those for which there is room.

    Args:
        pane: the column.
        charset: the characters of the lines.
        sections: the sections, the most important first.
        good_below: the number of rows at the bottom that are left free, if possible.
        least_below: the number of rows at the bottom that the shortest forms leave free.

    Returns:
        The number of rows used.
    """
    full = [one for one in sections if one.forms and one.forms[-1]]
    shown = [_Shown(one, one.forms[-1], len(one.forms[-1])) for one in full if one.is_needed]
    # Where not even the shortest forms fit, the last ones are cut, then left out.
    while shown and (over := _rows(shown) - (pane.rows - least_below)) > 0:
        shown[-1].rows -= over
        if shown[-1].rows < 1:
            shown.pop()
    room = pane.rows - good_below - _rows(shown)
    for one in shown:
        for form in one.section.forms:
            if 0 < len(form) - one.rows <= room:
                room -= len(form) - one.rows
                one.lines, one.rows = form, len(form)
                break
    for section in full:
        if section.is_needed:
            continue
        fitting = [form for form in section.forms if len(form) < room]
        lines = fitting[0] if fitting else section.forms[-1]
        rows = min(len(lines), room - 1)
        if fitting or rows >= _LEAST_CUT:
            shown.append(_Shown(section, lines, rows))
            room -= 1 + rows
    used = 0
    for one in shown:
        draw_rule(pane, used, one.section.title, charset)
        draw_bits(pane.inner(used + 1, 0, one.rows), one.lines)
        used += 1 + one.rows
    return used


def _rows(shown: Sequence[_Shown]) -> int:
    """Return the rows of sections with their titles."""
    return sum(1 + one.rows for one in shown)
