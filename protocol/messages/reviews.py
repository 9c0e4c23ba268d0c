"""Messages about reviews, in which people look back on a finished game together."""

import attrs
from attrs.validators import and_, deep_iterable, ge, le, max_len, min_len

from protocol.bounds import AFTER, COUNT, ID, MAX_LINES, MAX_SEATS, ROOM_ID, SEAT, TIME
from protocol.common.events import MAX_CHAT, MAX_NAME
from protocol.plain_text import check_plain
from protocol.values import frozen
from protocol.vocabulary import ClientMessage, RoomMessage, ServerMessage, message, with_fields

MAX_MEMBERS = 16
"""Maximum number of people in one review."""
MAX_GAME_NOTES = 100
"""Maximum number of notes and tags of one game."""
MAX_NOTE = 300
"""Maximum number of characters in a note."""
MAX_TAG = 40
"""Maximum number of characters in a tag."""

_WORDS = and_(min_len(1), max_len(MAX_CHAT), check_plain)
_NOTE = and_(min_len(1), max_len(MAX_NOTE), check_plain)
_NAME = and_(max_len(MAX_NAME), check_plain)
_PIECE = and_(ID, check_plain)
_NUMBER = and_(ge(0), le(10_000))
"""The validator of a member's number."""


# Messages from the client


@message("list_reviews")
class ListReviews(ClientMessage):
    """List the reviews that I may join and that have members. Reply: `Reviews`."""


@message("join_review")
class JoinReview(RoomMessage):
    """
    Join the review of this finished game. The first member leads.

    The server sends `ReviewState`, the latest `ReviewSaid`, and `GameNotes`. Reply: `Done`.
    """


@with_fields
class InReview(RoomMessage):
    """A message from a member of a room's review. Others are refused with `review/none`."""


@message("leave_review")
class LeaveReview(InReview):
    """Leave the review. If I lead it, the next member does."""


@message("lead_review")
class LeadReview(InReview):
    """As the leader: show this moment of the game to all members."""

    event: int = attrs.field(validator=AFTER)
    """Sequence of the latest record shown; -1 for the beginning."""
    seat: int = attrs.field(validator=SEAT)
    """Seat whose knowledge is shown; -1 for the knowledge of the whole table, or if `is_all`."""
    is_all: bool
    """True to show all secrets."""


@message("hand_review")
class HandReview(InReview):
    """As the leader: make this member the leader."""

    member: int = attrs.field(validator=_NUMBER)


@message("suppose_in_review")
class SupposeInReview(InReview):
    """As the leader: have all members watch a practice game of mine, or come back from it."""

    branch_id: str = attrs.field(validator=ROOM_ID)
    """Room of the practice game, a branch of this room; empty to return to the review."""


@message("point_in_review")
class PointInReview(InReview):
    """Point all members at something."""

    event: int = attrs.field(validator=AFTER)
    kind: str = attrs.field(validator=_PIECE)
    """Kind of the piece, as packs name the kind. `space` is a space of the board after the event.
    Empty to point at the event itself."""
    piece: str = attrs.field(validator=_PIECE)


@message("talk_in_review")
class TalkInReview(InReview):
    """Send a line of plain text to all members."""

    words: str = attrs.field(validator=_WORDS, repr=False)


@message("list_game_notes")
class ListGameNotes(RoomMessage):
    """Get the notes of this finished game: the server sends `GameNotes`. Reply: `Done`."""


@message("note_game")
class NoteGame(RoomMessage):
    """As one of its seats: add a note or a tag to this finished game."""

    event: int = attrs.field(validator=AFTER)
    text: str = attrs.field(validator=_NOTE, repr=False)
    is_tag: bool
    """True for a tag, which has at most 40 characters."""


@message("unnote_game")
class UnnoteGame(RoomMessage):
    """Delete a note of mine."""

    number: int = attrs.field(validator=COUNT)


# Messages from the server


@frozen
class ReviewLine:
    """One review that you may join."""

    room_id: str = attrs.field(validator=ROOM_ID)
    scenario: str = attrs.field(validator=ID)
    names: tuple[str, ...] = attrs.field(validator=deep_iterable(_NAME, max_len(MAX_SEATS)))
    """Names of the players."""
    members: tuple[str, ...] = attrs.field(validator=deep_iterable(_NAME, max_len(MAX_MEMBERS)))
    """Names of the members who are connected."""


@message("reviews")
class Reviews(ServerMessage):
    """Reviews that you may join and that have members."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[ReviewLine, ...] = attrs.field(validator=max_len(MAX_LINES))


@frozen
class ReviewMember:
    """One member of a review."""

    number: int = attrs.field(validator=_NUMBER)
    """Number of the member, fixed for as long as the review lasts."""
    name: str = attrs.field(validator=_NAME)
    is_here: bool
    """False while the member is disconnected."""


@message("review_state")
class ReviewState(ServerMessage):
    """State of a review that you are in: its members, its leader, and the moment shown."""

    room_id: str = attrs.field(validator=ROOM_ID)
    opened_at: int = attrs.field(validator=TIME)
    """Time when the review began, in milliseconds since 1970. It identifies the review, since a
    room may have several in turn."""
    members: tuple[ReviewMember, ...] = attrs.field(
        validator=and_(min_len(1), max_len(MAX_MEMBERS))
    )
    me: int = attrs.field(validator=_NUMBER)
    """Your own number as a member."""
    leader: int = attrs.field(validator=_NUMBER)
    event: int = attrs.field(validator=AFTER)
    seat: int = attrs.field(validator=SEAT)
    is_all: bool
    """True if all secrets are shown. `event`, `seat` and `is_all` are from the leader's last
    `LeadReview`; before the first, they are -1, -1 and true."""
    branch_id: str = attrs.field(validator=ROOM_ID)
    """Room of the leader's practice game that all members watch; empty for none."""


@message("review_said")
class ReviewSaid(ServerMessage):
    """A line that a member sent."""

    room_id: str = attrs.field(validator=ROOM_ID)
    name: str = attrs.field(validator=_NAME)
    words: str = attrs.field(validator=_WORDS, repr=False)


@message("review_pointed")
class ReviewPointed(ServerMessage):
    """A member points at something; see `PointInReview`."""

    room_id: str = attrs.field(validator=ROOM_ID)
    name: str = attrs.field(validator=_NAME)
    event: int = attrs.field(validator=AFTER)
    kind: str = attrs.field(validator=_PIECE)
    piece: str = attrs.field(validator=_PIECE)


@frozen
class GameNote:
    """One note or tag of a game."""

    number: int = attrs.field(validator=COUNT)
    author: str = attrs.field(validator=_NAME)
    is_mine: bool
    event: int = attrs.field(validator=AFTER)
    text: str = attrs.field(validator=_NOTE, repr=False)
    is_tag: bool


@message("game_notes")
class GameNotes(ServerMessage):
    """All notes of a game, by event; also sent to the members of its review after each change."""

    room_id: str = attrs.field(validator=ROOM_ID)
    notes: tuple[GameNote, ...] = attrs.field(validator=max_len(MAX_GAME_NOTES), repr=False)
