"""Applies the server's messages about reviews, and about notes on finished games, to the model."""

import attrs

from client.model.model import Bar, ClientModel
from client.model.review import Review
from protocol import messages

_CHANGES = frozenset({"review/open", "review/ended"})
"""Codes of notices that make the list of reviews stale."""


def apply_review(
    model: ClientModel, message: messages.ServerMessage, asked: messages.ClientMessage | None
) -> bool:
    """
    Apply a message to the model if the message is about reviews or notes.

    Returns:
        Whether the list of reviews is stale and must be requested again.
    """
    match message:
        case messages.Reviews():
            model.update_lobby(reviews=message.lines)
        case messages.GameNotes():
            notes = {**model.finished.notes, message.room_id: message.notes}
            model.finished = attrs.evolve(model.finished, notes=notes)
        case messages.ReviewState():
            _apply_state(model, message)
        case messages.ReviewSaid(room_id=room_id) if review := _review_of(model, room_id):
            model.set_review(review.with_said(message))
        case messages.ReviewPointed(room_id=room_id) if review := _review_of(model, room_id):
            model.set_review(review.with_pointed(message))
        # After an interruption the client joins again, and the review may be over.
        case messages.Refusal() if isinstance(asked, messages.JoinReview):
            _leave(model, asked.room_id)
        case messages.Refusal(code="review/none") if isinstance(asked, messages.InReview):
            _leave(model, asked.room_id)
        case messages.Done() if isinstance(asked, messages.LeaveReview):
            _leave(model, asked.room_id)
        case messages.Notice(code="review/ended"):
            _leave(model, message.room_id)
        case _:
            pass
    is_other = isinstance(message, messages.Notice) and message.code in _CHANGES
    return is_other or isinstance(asked, messages.LeaveReview)


def _review_of(model: ClientModel, room_id: str) -> Review | None:
    review = model.review
    return review if review is not None and review.room_id == room_id else None


def _leave(model: ClientModel, room_id: str) -> None:
    if _review_of(model, room_id) is not None:
        model.set_review(None)


def _apply_state(model: ClientModel, state: messages.ReviewState) -> None:
    review = model.review
    if review is None or review.room_id != state.room_id:
        model.set_review(Review(state))
        return
    if review.state.opened_at != state.opened_at:
        # The server restarted, or everybody was away for so long that the review was dropped.
        model.bar = Bar(model.locale.say("review.anew"))
        review = attrs.evolve(review, said=(), said_count=0, pointed=None)
    elif review.state.leader != state.leader:
        name = next((one.name for one in state.members if one.number == state.leader), "")
        key = "review.you_lead" if state.me == state.leader else "review.leads_now"
        model.bar = Bar(model.locale.say(key, name))
    model.set_review(attrs.evolve(review, state=state))
