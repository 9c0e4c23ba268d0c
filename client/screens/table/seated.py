"""Tells whether the viewer of a table still has a seat at it."""

from client.screens.base.screen import Desk


def is_seated(desk: Desk) -> bool:
    return desk.view.seat is not None and not is_seat_lost(desk)


def is_seat_lost(desk: Desk) -> bool:
    """Return whether the viewer's seat was given to another player."""
    seat = desk.view.my_seat
    return seat is not None and seat.key != desk.model.key
