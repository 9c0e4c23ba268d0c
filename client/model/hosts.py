"""The viewer's notices about a host who is away, or who was replaced."""

from client.model.tables import TableView
from protocol.common.events import HostPassed
from protocol.common.hosts import is_host_away, successor


def absent_host(view: TableView) -> tuple[str, str] | None:
    """Return the names of an absent host and of the successor.

    None if the host is present, nobody can take over, or the viewer has no seat.
    """
    room = view.table.room
    heir = successor(room)
    if view.my_seat is None or heir is None or not is_host_away(room):
        return None
    return room.seats[room.host].name, room.seats[heir].name


def replaced_by(view: TableView) -> str:
    """Return the name of the current host if the viewer was host before; else an empty text."""
    room = view.table.room
    passed = (r.event for r in reversed(view.records) if isinstance(r.event, HostPassed))
    last = next((one for one in passed if one.was == view.seat), None)
    if last is None or room.host == view.seat or room.host not in room.seats:
        return ""
    return room.seats[room.host].name
