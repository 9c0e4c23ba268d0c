"""Whether the viewer of a table has a seat there that is still theirs."""

from client.screens.base.screen import Desk


def is_seated(desk: Desk) -> bool:
    """Return whether the viewer plays."""
    return desk.view.seat is not None and not is_seat_lost(desk)


def is_seat_lost(desk: Desk) -> bool:
    """Return whether the viewer's seat was given to somebody else."""
    seat = desk.view.my_seat
    return seat is not None and seat.key != desk.model.key
