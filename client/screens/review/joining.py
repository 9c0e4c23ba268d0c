"""Joins the review of a given game, or a review that other players have opened."""

from functools import partial

from client.screens.base.boxes import Item, Menu
from client.screens.base.screen import CannotDo, Desk
from client.screens.review.review_words import review_line
from client.screens.review.reviewing import review


def join(desk: Desk, room_id: str) -> None:
    """
    Join or begin the review of a finished game, and fetch the game.

    Raise CannotDo while offline.
    """
    review(desk, room_id)
    desk.port.join_review(room_id)


def join_listed(desk: Desk) -> None:
    """Join an open review; if there are several, let the viewer choose one.

    Raise CannotDo if no review is open.
    """
    lines = desk.model.lobby.reviews
    if not lines:
        raise CannotDo("review.none_open")
    items = [Item(review_line(desk.model, one), partial(join, desk, one.room_id)) for one in lines]
    if len(items) == 1:
        items[0].run()
    else:
        desk.open(Menu(desk, "box.reviews", items))
