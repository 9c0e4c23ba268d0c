"""The first line of the lobby's screens: a title, and the state of the connection."""

from client.screens.base.screen import Desk
from client.widgets.canvas import Pane


def draw_head(pane: Pane, desk: Desk, title: str) -> Pane:
    """Draw the top line of a lobby screen; return the pane below the line."""
    bar = pane.inner(0, 0, 1)
    bar.fill("class:status")
    style = "class:status" if desk.model.is_online else "class:status.away"
    if pane.is_narrow:
        start = bar.write_right(0, f" {desk.connection(is_short=True)} ", style)
        bar.inner(0, 0, 1, start).write_clipped(0, 1, title, "class:status")
        return pane.inner(1, 0)
    bar.write_clipped(0, 1, title, "class:status")
    bar.write_right(0, f" {desk.connection()} ", style)
    return pane.inner(2, 2, pane.rows - 2, pane.columns - 4)
