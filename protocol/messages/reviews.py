"""What both sides say of reviews, where people look back on a finished game together."""

import attrs
from attrs.validators import and_, deep_iterable, ge, le, max_len, min_len

from protocol.bounds import AFTER, COUNT, ID, MAX_LINES, MAX_SEATS, SEAT
from protocol.common.events import MAX_CHAT, MAX_NAME
from protocol.plain_text import check_plain
from protocol.values import frozen
from protocol.vocabulary import ClientMessage, RoomMessage, ServerMessage, message, with_fields

MAX_MEMBERS = 16
"""People in one review."""
MAX_GAME_NOTES = 100
"""Notes and tags that are kept with one game."""
MAX_NOTE = 300
"""Characters in a note that is kept with a game."""
MAX_TAG = 40
"""Characters in a tag."""

_WORDS = and_(min_len(1), max_len(MAX_CHAT), check_plain)
_NOTE = and_(min_len(1), max_len(MAX_NOTE), check_plain)
_NAME = and_(max_len(MAX_NAME), check_plain)
_PIECE = and_(ID, check_plain)
_NUMBER = and_(ge(0), le(10_000))
"""The validator of a member's number."""


# What a client says


@message("list_reviews")
class ListReviews(ClientMessage):
    """Which reviews may I join that people are in now? Reply: `Reviews`."""


@message("join_review")
class JoinReview(RoomMessage):
    """
    Look back on this finished game with others; whoever comes first leads.

    The server sends `ReviewState`, what was said there last, and `GameNotes`. Reply: `Done`.
    """


@with_fields
class InReview(RoomMessage):
    """What a member says of the review of a room. Refused to anybody else: `review/none`."""


@message("leave_review")
class LeaveReview(InReview):
    """I follow it no more; if I lead, the next member does."""


@message("lead_review")
class LeadReview(InReview):
    """As the leader: this is where I am in the game."""

    event: int = attrs.field(validator=AFTER)
    """The sequence of the record that has just happened; -1 for the beginning."""
    seat: int = attrs.field(validator=SEAT)
    """With whose knowledge it is seen; -1 for the table's, or everything."""
    is_all: bool
    """Whether everything is open."""


@message("hand_review")
class HandReview(InReview):
    """As the leader: this member leads from now on."""

    member: int = attrs.field(validator=_NUMBER)


@message("suppose_in_review")
class SupposeInReview(InReview):
    """As the leader: all of you watch this practice game of mine, or come back from it."""

    branch_id: str = attrs.field(validator=ID)
    """Of the practice game, a branch of this one; empty to come back."""


@message("point_in_review")
class PointInReview(InReview):
    """Look at this, all of you."""

    event: int = attrs.field(validator=AFTER)
    kind: str = attrs.field(validator=_PIECE)
    """
    Of the piece, as packs name it; `space` for a space of the board, whose id on the table after
    the event stands as the piece; empty for what happened with the event.
    """
    piece: str = attrs.field(validator=_PIECE)


@message("talk_in_review")
class TalkInReview(InReview):
    """Say something to all members: one line of text that can be printed."""

    words: str = attrs.field(validator=_WORDS, repr=False)


@message("list_game_notes")
class ListGameNotes(RoomMessage):
    """Which notes are kept with this finished game? Sends `GameNotes`. Reply: `Done`."""


@message("note_game")
class NoteGame(RoomMessage):
    """As one of its seats: keep a note or a tag with this finished game."""

    event: int = attrs.field(validator=AFTER)
    text: str = attrs.field(validator=_NOTE, repr=False)
    is_tag: bool
    """Whether it is a tag, of `MAX_TAG` characters at most."""


@message("unnote_game")
class UnnoteGame(RoomMessage):
    """Keep this note of mine no longer."""

    number: int = attrs.field(validator=COUNT)


# What a server says


@frozen
class ReviewLine:
    """A review that you may join."""

    room_id: str = attrs.field(validator=ID)
    scenario: str = attrs.field(validator=ID)
    names: tuple[str, ...] = attrs.field(validator=deep_iterable(_NAME, max_len(MAX_SEATS)))
    """Of those who played."""
    members: tuple[str, ...] = attrs.field(validator=deep_iterable(_NAME, max_len(MAX_MEMBERS)))
    """The names of those who are there."""


@message("reviews")
class Reviews(ServerMessage):
    """The reviews that you may join, and that somebody is in."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[ReviewLine, ...] = attrs.field(validator=max_len(MAX_LINES))


@frozen
class ReviewMember:
    """Somebody in a review."""

    number: int = attrs.field(validator=_NUMBER)
    """Theirs as long as the review lasts."""
    name: str = attrs.field(validator=_NAME)
    is_here: bool
    """False while their connection is lost."""


@message("review_state")
class ReviewState(ServerMessage):
    """Who is in a review that you are in, who leads it, and where the leader is."""

    room_id: str = attrs.field(validator=ID)
    opened_at: int = attrs.field(validator=COUNT)
    """In milliseconds since 1970: another one than before is another review."""
    members: tuple[ReviewMember, ...] = attrs.field(
        validator=and_(min_len(1), max_len(MAX_MEMBERS))
    )
    me: int = attrs.field(validator=_NUMBER)
    """Your own number."""
    leader: int = attrs.field(validator=_NUMBER)
    event: int = attrs.field(validator=AFTER)
    seat: int = attrs.field(validator=SEAT)
    is_all: bool
    """Event, seat and this are the leader's, as in `LeadReview`."""
    branch_id: str = attrs.field(validator=ID)
    """Of the practice game of the leader that all watch; empty for none."""


@message("review_said")
class ReviewSaid(ServerMessage):
    """What a member said."""

    room_id: str = attrs.field(validator=ID)
    name: str = attrs.field(validator=_NAME)
    words: str = attrs.field(validator=_WORDS, repr=False)


@message("review_pointed")
class ReviewPointed(ServerMessage):
    """What a member points at."""

    room_id: str = attrs.field(validator=ID)
    name: str = attrs.field(validator=_NAME)
    event: int = attrs.field(validator=AFTER)
    kind: str = attrs.field(validator=_PIECE)
    piece: str = attrs.field(validator=_PIECE)


@frozen
class GameNote:
    """A note or a tag that is kept with a game."""

    number: int = attrs.field(validator=COUNT)
    author: str = attrs.field(validator=_NAME)
    is_mine: bool
    event: int = attrs.field(validator=AFTER)
    text: str = attrs.field(validator=_NOTE, repr=False)
    is_tag: bool


@message("game_notes")
class GameNotes(ServerMessage):
    """All notes that are kept with a game, by event; sent to a review after each change, too."""

    room_id: str = attrs.field(validator=ID)
    notes: tuple[GameNote, ...] = attrs.field(validator=max_len(MAX_GAME_NOTES), repr=False)
