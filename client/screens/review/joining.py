"""Joins the review of a given game, or one that other players have open."""

from functools import partial

from client.screens.base.boxes import Item, Menu
from client.screens.base.screen import CannotDo, Desk
from client.screens.review.review_words import review_line
from client.screens.review.reviewing import review


def join(desk: Desk, room_id: str) -> None:
    """Join the review of a finished game, or begin one, and fetch the game. CannotDo offline."""
    review(desk, room_id)
    desk.port.join_review(room_id)


def join_listed(desk: Desk) -> None:
    """Join an open review; the viewer chooses among several. CannotDo if there is none."""
    lines = desk.model.lobby.reviews
    if not lines:
        raise CannotDo("review.none_open")
    items = [Item(review_line(desk.model, one), partial(join, desk, one.room_id)) for one in lines]
    if len(items) == 1:
        items[0].run()
    else:
        desk.open(Menu(desk, "box.reviews", items))
