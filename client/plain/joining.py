"""Reviews that may be joined, in plain mode: one command lists and joins them."""

from collections.abc import Iterator

from client.plain.choice import place_in
from client.plain.talk import Talk
from client.screens.review.review_words import review_line
from protocol.common.table import Stage


def together(talk: Talk, argument: str) -> None:
    """Join the review of the finished game at hand, or one of the list; without a number, list."""
    view = talk.model.view
    if view is not None:
        if view.table.room.stage is not Stage.OVER:
            talk.tell("error.table/not_over")
            return
        _join(talk, view.room_id)
    elif argument:
        lines = talk.model.lobby.reviews
        _join(talk, lines[place_in(argument, len(lines))].room_id)
    else:
        talk.port.list_reviews()
        talk.later.append(lambda: talk.print_for("together", _listed(talk)))


def _join(talk: Talk, room_id: str) -> None:
    talk.port.fetch_game(room_id, talk.open_replay)
    talk.port.join_review(room_id)


def _listed(talk: Talk) -> Iterator[str]:
    for at, line in enumerate(talk.model.lobby.reviews, 1):
        yield f"{at}. {review_line(talk.model, line)}"
    key = "plain.reviews_hint" if talk.model.lobby.reviews else "plain.no_reviews"
    yield talk.speaker.say(key, talk.word("together"), talk.word("review"))
