"""The box that lists the seats a player lost while away."""

from client.journal.lost import lost_lines
from client.screens.base.boxes import TextBox
from client.screens.base.screen import Desk


def open_lost(desk: Desk) -> None:
    """Open the box if the server has reported lost seats."""
    if not desk.model.lobby.lost_seats or desk.wall is None:
        return
    told = [("", line) for line in lost_lines(desk.model, desk.wall())]
    desk.open(TextBox(desk, "box.lost_seats", lambda: told))
