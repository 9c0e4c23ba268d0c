"""Practice games in lines: for whom the player speaks."""

from client.locale.speaker import Speaker
from client.model.tables import TableView


def speaking_line(speaker: Speaker, view: TableView) -> str:
    """Return for which seat the viewer speaks, or that they look on."""
    if view.seat is None:
        return speaker.say("practice.watching")
    return speaker.say("practice.speaking", speaker.seat(view.table, view.seat))
