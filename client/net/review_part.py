"""What the server says of reviews and of the notes kept with games, put into the model."""

from client.model.model import Bar, ClientModel
from client.model.review import Review
from protocol import messages

_CHANGES = frozenset({"review/open", "review/ended"})
"""Notices after which there are other reviews."""


def hear_review(
    model: ClientModel, message: messages.ServerMessage, asked: messages.ClientMessage | None
) -> bool:
    """
    Put into the model what the server says of reviews; anything else changes nothing.

    Returns:
        Whether the list of reviews is out of date, so that it has to be asked for.
    """
    match message:
        case messages.Reviews():
            model.reviews = message.lines
        case messages.GameNotes():
            model.game_notes[message.room_id] = message.notes
        case messages.ReviewState():
            _take_state(model, message)
        case messages.ReviewSaid(room_id=room_id) if review := _of(model, room_id):
            review.hear(message)
        case messages.ReviewPointed(room_id=room_id) if review := _of(model, room_id):
            review.look(message)
        case messages.Refusal() if isinstance(asked, messages.JoinReview):
            _forget(model, asked.room_id)
        case messages.Refusal(code="review/none") if isinstance(asked, messages.InReview):
            _forget(model, asked.room_id)
        case messages.Done() if isinstance(asked, messages.LeaveReview):
            _forget(model, asked.room_id)
        case messages.Notice(code="review/ended"):
            _forget(model, message.room_id)
        case _:
            pass
    is_other = isinstance(message, messages.Notice) and message.code in _CHANGES
    return is_other or isinstance(asked, messages.LeaveReview)


def _of(model: ClientModel, room_id: str) -> Review | None:
    review = model.review
    return review if review is not None and review.room_id == room_id else None


def _forget(model: ClientModel, room_id: str) -> None:
    if _of(model, room_id) is not None:
        model.review = None


def _take_state(model: ClientModel, state: messages.ReviewState) -> None:
    review = model.review
    if review is None or review.room_id != state.room_id:
        model.review = Review(state)
        return
    if review.state.opened_at != state.opened_at:
        # The server was started anew, or everybody was away for long.
        review.said, review.heard, review.pointed = [], 0, None
        model.bar = Bar(model.locale.say("review.anew"))
    elif review.state.leader != state.leader:
        name = next((one.name for one in state.members if one.number == state.leader), "")
        key = "review.you_lead" if state.me == state.leader else "review.leads_now"
        model.bar = Bar(model.locale.say(key, name))
    review.state = state
