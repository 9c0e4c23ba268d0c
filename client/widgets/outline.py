"""Boxes drawn with lines."""

from client.settings.preferences import Charset
from client.widgets.canvas import Pane


def draw_outline(
    pane: Pane, charset: Charset, corners: str = "", *, style: str = "class:rule"
) -> None:
    """Draw a box along the edges of a pane; `corners` replace the corners of the charset."""
    level, upright = charset.rule(), charset.upright()
    corners = corners or charset.corners()
    last, end = pane.rows - 1, pane.columns - 1
    for row, ends in ((0, corners[:2]), (last, corners[2:])):
        pane.write(row, 0, ends[0] + level * (end - 1) + ends[1], style)
    for row in range(1, last):
        pane.write(row, 0, upright, style)
        pane.write(row, end, upright, style)
