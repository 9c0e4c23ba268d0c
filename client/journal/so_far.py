"""The story so far, for somebody who comes to a running game."""

from collections.abc import Sequence

from client.journal.missed import NEW_OWNER
from client.journal.shown import TOLD
from client.model.tables import TableView
from client.tellers.base import JournalLine
from protocol.common.events import GameStarted, PresenceChanged
from protocol.common.table import Stage


def story_so_far(view: TableView, lines: Sequence[JournalLine]) -> list[JournalLine]:
    """
    Return the story in the lines of the journal if the viewer is new to the running game.

    A spectator is new, and so is a player who took their seat after the game had begun and has not
    been away since. For anybody else the result is empty.
    """
    is_new = view.seat is None or _came_late(view)
    if view.table.room.stage is not Stage.PLAYING or view.is_practice or not is_new:
        return []
    return [line for line in lines if line.tone in TOLD]


def _came_late(view: TableView) -> bool:
    for record in reversed(view.records):
        event = record.event
        if isinstance(event, NEW_OWNER) and event.seat == view.seat:
            return True
        match event:
            case PresenceChanged(seat=view.seat, is_present=False) | GameStarted():
                return False
            case _:
                pass
    return False
