"""Replays of a table's game, fetched from the server and opened over the table."""

from functools import partial

from client.journal.fetched import read_fetched
from client.net.fetching import FetchedGame
from client.screens.base.screen import CannotDo, Desk
from client.screens.review.replay import ReplayScreen


def review(desk: Desk, room_id: str, *, with_timeline: bool = False) -> None:
    """Request a table's game; a replay of it opens when the game arrives, perhaps at the timeline.

    Raise CannotDo while offline.
    """
    if not desk.model.is_online:
        raise CannotDo("error.offline")
    desk.port.fetch_game(room_id, partial(open_fetched, desk, with_timeline=with_timeline))


def open_fetched(desk: Desk, fetched: FetchedGame, *, with_timeline: bool = False) -> None:
    """Open a replay over the table. If the file has a fault, the message bar states it."""
    game = read_fetched(desk.model, fetched.data)
    if game is not None:
        room_id = game.archive.header.room_id
        # The server has notes only on games whose secrets are all open.
        if game.archive.header.is_whole:
            desk.port.list_game_notes(room_id)

        def close() -> None:
            desk.aside = None
            game.close()
            review = desk.model.review
            if review is not None and review.room_id == room_id:
                desk.port.leave_review(room_id)

        desk.aside = ReplayScreen(desk, game.replay, close, game.reword, with_timeline)
        game.look_back(fetched.data, lambda: desk.model.tell(desk.say("hindsight.found")))
