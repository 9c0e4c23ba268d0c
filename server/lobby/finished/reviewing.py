"""Requests about reviews, and about the notes on a finished game."""

from protocol import messages
from server.kernel.errors import Refused
from server.lobby.finished.game_notes import GameNotes, notes_message
from server.lobby.finished.reviews import Reviews, tell_of
from server.lobby.finished.sharing import SharedGames
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.replies import Replies
from server.lobby.requests.visitor import RoomVisitor, Visitor, Visitors
from server.lobby.rooms.registry import Registry
from server.lobby.tables.setups import Setups

# Reviews


@handles(messages.ListReviews, needs=Needs.SERVER, cost=Cost.LISTED)
async def list_reviews(
    visitor: Visitor,
    message: messages.ListReviews,
    reviews: Reviews,
    registry: Registry,
    replies: Replies,
) -> messages.Reviews:
    found = [registry.summaries[room_id] for room_id in reviews.rooms(visitor.key)]
    replies.send_words(visitor, [one.scenario for one in found])
    lines = (
        messages.ReviewLine(one.room_id, one.scenario, one.names, reviews.names(one.room_id))
        for one in found
    )
    return messages.Reviews(message.serial, tuple(lines))


@handles(messages.JoinReview, needs=Needs.ROOM, cost=Cost.STORED | Cost.LOADING)
async def join_review(
    visitor: RoomVisitor,
    _: messages.JoinReview,
    reviews: Reviews,
    notes: GameNotes,
    shared: SharedGames,
    setups: Setups,
    visitors: Visitors,
) -> None:
    await _refuse_unopened(visitor, shared, setups)
    room, session = visitor.room, visitor.session
    kept = await notes.of(room.room_id)
    # They left while the notes were read.
    if visitor.visitor.is_gone:
        return
    is_new, said = reviews.join(room, session)
    for message in (*said, notes_message(visitor.key, room.room_id, kept)):
        session.send(message)
    if is_new:
        # Only the players of the game are notified; strangers find the review in their list.
        seats = {seat.key for seat in room.seats.values()} - {visitor.key}
        tell_of(room.room_id, visitors.sessions_of(seats))


@handles(messages.LeaveReview, needs=Needs.SERVER, cost=Cost.REVIEWED)
async def leave_review(visitor: Visitor, message: messages.LeaveReview, reviews: Reviews) -> None:
    reviews.leave(visitor.session, message.room_id)


@handles(messages.LeadReview, needs=Needs.SERVER, cost=Cost.REVIEWED)
async def lead_review(visitor: Visitor, message: messages.LeadReview, reviews: Reviews) -> None:
    reviews.lead(visitor.session, message)


@handles(messages.HandReview, needs=Needs.SERVER, cost=Cost.REVIEWED)
async def hand_review(visitor: Visitor, message: messages.HandReview, reviews: Reviews) -> None:
    reviews.hand(visitor.session, message)


@handles(messages.SupposeInReview, needs=Needs.SERVER, cost=Cost.REVIEWED)
async def suppose_in_review(
    visitor: Visitor, message: messages.SupposeInReview, reviews: Reviews
) -> None:
    reviews.suppose(visitor.session, message)


@handles(messages.PointInReview, needs=Needs.SERVER, cost=Cost.STORED)
async def point_in_review(
    visitor: Visitor, message: messages.PointInReview, reviews: Reviews
) -> None:
    reviews.point(visitor.session, message)


@handles(messages.TalkInReview, needs=Needs.SERVER, cost=Cost.STORED)
async def talk_in_review(
    visitor: Visitor, message: messages.TalkInReview, reviews: Reviews
) -> None:
    reviews.talk(visitor.session, message)


# Notes


@handles(messages.ListGameNotes, needs=Needs.ROOM, cost=Cost.LOADING | Cost.LISTED)
async def list_game_notes(
    visitor: RoomVisitor,
    _: messages.ListGameNotes,
    notes: GameNotes,
    shared: SharedGames,
    setups: Setups,
) -> None:
    await _refuse_unopened(visitor, shared, setups)
    room_id = visitor.room.room_id
    visitor.session.send(notes_message(visitor.key, room_id, await notes.of(room_id)))


@handles(messages.NoteGame, needs=Needs.ROOM, cost=Cost.STORED)
async def note_game(
    visitor: RoomVisitor,
    message: messages.NoteGame,
    notes: GameNotes,
    reviews: Reviews,
    shared: SharedGames,
    setups: Setups,
) -> None:
    await _refuse_non_writer(visitor, shared, setups)
    if message.event >= len(visitor.host.room.log):
        raise Refused("table/no_such_record")
    await notes.write(visitor.key, visitor.session.account.name, message)
    await _send_notes(visitor, notes, reviews)


@handles(messages.UnnoteGame, needs=Needs.ROOM, cost=Cost.STORED)
async def unnote_game(
    visitor: RoomVisitor,
    message: messages.UnnoteGame,
    notes: GameNotes,
    reviews: Reviews,
    shared: SharedGames,
    setups: Setups,
) -> None:
    await _refuse_non_writer(visitor, shared, setups)
    await notes.remove(visitor.key, message)
    await _send_notes(visitor, notes, reviews)


async def _refuse_unopened(visitor: RoomVisitor, shared: SharedGames, setups: Setups) -> None:
    """Check that the visitor may open the whole game; store that they know its setup."""
    shared.refuse_unopened(visitor.room, visitor.key)
    await setups.known.note(visitor.room, [visitor.key])


async def _refuse_non_writer(visitor: RoomVisitor, shared: SharedGames, setups: Setups) -> None:
    await _refuse_unopened(visitor, shared, setups)
    if visitor.room.seat_of(visitor.key) is None:
        raise Refused("table/no_seat")


async def _send_notes(visitor: RoomVisitor, notes: GameNotes, reviews: Reviews) -> None:
    """Send changed notes to the writer and all members of the review, once to each session."""
    room_id = visitor.room.room_id
    kept = await notes.of(room_id)
    sessions = {visitor.session: visitor.key}
    for key, session in reviews.members(room_id):
        sessions.setdefault(session, key)
    for session, key in sessions.items():
        session.send(notes_message(key, room_id, kept))
