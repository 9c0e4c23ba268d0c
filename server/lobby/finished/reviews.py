"""
Reviews: people discuss a finished game together.

Each client has the game's file, from `ExportTable`, and shows the file itself. A review has
members, a leader and the leader's position, in memory alone. Everybody who may open the whole game
may join. This right is checked again before each message, since an agreement to share can be
withdrawn.
"""

from collections import deque
from collections.abc import Callable, Iterator

import attrs

from protocol import messages
from protocol.bounds import MAX_LINES
from protocol.common.table import RoomTable
from protocol.common.text import Text
from server.kernel.errors import Refused
from server.net.handler import Session

MAX_REVIEWS = 500
"""Maximum number of reviews at the same time."""
MAX_BY_ONE = 4
"""Maximum number of reviews of one key at the same time."""
AWAY_SECONDS = 300.0
"""Seconds for which a member without a connection stays a member."""
KEPT_LINES = 50
"""Number of chat lines kept for newcomers."""
OPEN = "review/open"
"""Code of the notice that a review has begun."""
ENDED = "review/ended"
"""Code of the notice to a member who was removed from a review."""


@attrs.define(eq=False)
class _Member:
    number: int
    key: bytes
    name: str
    sessions: list[Session]
    gone_at: float = 0.0
    """End of the member's last session, by `Reviews.seconds`; ignored while connected."""


@attrs.define(eq=False)
class _Review:
    room_id: str
    opened_at: int
    leader: int = 0
    event: int = -1
    seat: int = -1
    is_all: bool = True
    branch_id: str = ""
    """Practice game that all members watch; empty for none."""
    members: dict[int, _Member] = attrs.field(factory=dict)
    said: deque[messages.ReviewSaid] = attrs.field(factory=lambda: deque(maxlen=KEPT_LINES))
    next_number: int = 0

    def member(self, key: bytes) -> _Member | None:
        return next((one for one in self.members.values() if one.key == key), None)

    @property
    def is_empty(self) -> bool:
        return not any(one.sessions for one in self.members.values())

    def state_for(self, me: _Member) -> messages.ReviewState:
        members = tuple(
            messages.ReviewMember(one.number, one.name, bool(one.sessions))
            for one in self.members.values()
        )
        return messages.ReviewState(
            *(self.room_id, self.opened_at, members, me.number),
            *(self.leader, self.event, self.seat, self.is_all),
            self.branch_id,
        )

    def find_leader(self) -> None:
        """
        Make the next connected member the leader if the leader is not connected.

        Members then stop watching a practice game: it belongs to the former leader, who may play
        on.
        """
        leader = self.members.get(self.leader)
        if leader is not None and leader.sessions:
            return
        here = [one.number for one in self.members.values() if one.sessions]
        # The next member in the order of joining leads; after the last one, the first.
        later = [number for number in here if number > self.leader]
        # The practice game belongs to the former leader alone.
        self.branch_id = ""
        self.leader = (later or here or [self.leader])[0]


@attrs.define(eq=False)
class Reviews:
    """The reviews of a server."""

    seconds: Callable[[], float]
    """Monotonic clock in seconds."""
    now: Callable[[], int]
    """Wall clock, in milliseconds since 1970."""
    may_open: Callable[[str, bytes], bool]
    """Returns True if a key may open the finished game of a room now."""
    is_practice: Callable[[str, str, bytes], bool]
    """Returns True if one room is a practice game of a key, branched off another room."""
    _by_room: dict[str, _Review] = attrs.field(factory=dict, init=False)

    # Coming and going

    def join(self, room: RoomTable, session: Session) -> tuple[bool, list[messages.ReviewSaid]]:
        """
        Add a session to the review of a game; begin the review if there is none.

        Returns:
            True if the review has just begun; the latest lines of its chat.

        Raises:
            Refused: the owner of the session may no longer open the game, or is in too many
                reviews, or there are too many reviews or members.
        """
        key = session.account.key
        if not self.may_open(room.room_id, key):
            # Checked again: an agreement may have been withdrawn while the store answered.
            raise Refused("table/no_seat")
        self._tidy()
        review = self._by_room.get(room.room_id)
        is_new = review is None
        if review is None:
            review = _Review(room.room_id, self.now())
        self._add(review, session)
        # Only now: `_add` may refuse, and a review without members must not stay.
        self._by_room[room.room_id] = review
        review.find_leader()
        self._tell_state(review)
        return is_new, list(review.said)

    def _add(self, review: _Review, session: Session) -> None:
        account = session.account
        member = review.member(account.key)
        if member is not None:
            if session not in member.sessions:
                member.sessions.append(session)
            member.name = account.name
            return
        theirs = sum(one.member(account.key) is not None for one in self._by_room.values())
        is_new = review.room_id not in self._by_room
        if theirs >= MAX_BY_ONE or (is_new and len(self._by_room) >= MAX_REVIEWS):
            raise Refused("review/too_many")
        if len(review.members) >= messages.MAX_MEMBERS:
            raise Refused("review/full")
        number, review.next_number = review.next_number, review.next_number + 1
        review.members[number] = _Member(number, account.key, account.name, [session])

    def disconnected(self, session: Session) -> None:
        """Remove an ended session; its owner stays a member for `AWAY_SECONDS`."""
        for review in list(self._by_room.values()):
            member = review.member(session.account.key)
            if member is not None and session in member.sessions:
                member.sessions.remove(session)
                member.gone_at = self.seconds()
                review.find_leader()
                self._tell_state(review)

    def _tidy(self) -> None:
        """Drop members who were away for long or may no longer open the game, and empty reviews."""
        late = self.seconds() - AWAY_SECONDS
        for review in list(self._by_room.values()):
            self._remove_unauthorised(review)
            for member in list(review.members.values()):
                if not member.sessions and member.gone_at < late:
                    del review.members[member.number]
            if not review.members:
                self._by_room.pop(review.room_id, None)

    # Requests of members

    def _member(self, session: Session, room_id: str) -> tuple[_Review, _Member]:
        """
        Return the review of a room and the session's member.

        Refused: the session is no member, or its owner may no longer open the game.
        """
        review = self._by_room.get(room_id)
        member = None if review is None else review.member(session.account.key)
        if review is None or member is None or session not in member.sessions:
            raise Refused("review/none")
        self._remove_unauthorised(review)
        if member.number not in review.members:
            raise Refused("review/none")
        return review, member

    def _leader(self, session: Session, room_id: str) -> tuple[_Review, _Member]:
        """Return the review of a room and its leader. Refused: the session is not the leader's."""
        review, member = self._member(session, room_id)
        if review.leader != member.number:
            raise Refused("review/not_leader")
        return review, member

    def leave(self, session: Session, room_id: str) -> None:
        """Remove a session from a review; its owner leaves with the last of their sessions."""
        review, member = self._member(session, room_id)
        member.sessions.remove(session)
        if member.sessions:
            return
        del review.members[member.number]
        if review.is_empty:
            self._by_room.pop(review.room_id, None)
            return
        review.find_leader()
        self._tell_state(review)

    def lead(self, session: Session, message: messages.LeadReview) -> None:
        """
        Show all members an event of the game, as a seat or as all seats see it.

        Refused: the session is not the leader's.
        """
        review, _ = self._leader(session, message.room_id)
        review.event, review.seat = message.event, message.seat
        review.is_all = message.is_all
        self._tell_state(review)

    def hand(self, session: Session, message: messages.HandReview) -> None:
        """
        Make another connected member the leader.

        Refused: the session is not the leader's, or no connected member has this number.
        """
        review, _ = self._leader(session, message.room_id)
        member = review.members.get(message.member)
        if member is None or not member.sessions:
            raise Refused("review/no_such_member")
        review.leader, review.branch_id = message.member, ""
        self._tell_state(review)

    def suppose(self, session: Session, message: messages.SupposeInReview) -> None:
        """
        Show all members a practice game of the leader; an empty id ends this.

        Refused: the session is not the leader's, or the game is no practice game of theirs.
        """
        review, member = self._leader(session, message.room_id)
        branch_id = message.branch_id
        if branch_id and not self.is_practice(branch_id, review.room_id, member.key):
            raise Refused("review/no_practice")
        review.branch_id = branch_id
        self._tell_state(review)

    def point(self, session: Session, message: messages.PointInReview) -> None:
        """Tell all members at which piece, in which event, a member points."""
        review, member = self._member(session, message.room_id)
        where = message.event, message.kind, message.piece
        self._tell(review, messages.ReviewPointed(review.room_id, member.name, *where))

    def talk(self, session: Session, message: messages.TalkInReview) -> None:
        """Send a line of chat to all members, and keep the line for newcomers."""
        review, member = self._member(session, message.room_id)
        said = messages.ReviewSaid(review.room_id, member.name, message.words)
        review.said.append(said)
        self._tell(review, said)

    # Messages to members

    def members(self, room_id: str) -> Iterator[tuple[bytes, Session]]:
        """Yield each session, with its key, of all members who may still open the game."""
        review = self._by_room.get(room_id)
        if review is not None:
            self._remove_unauthorised(review)
            for member in review.members.values():
                yield from ((member.key, session) for session in member.sessions)

    def may_watch(self, branch_id: str, key: bytes) -> bool:
        """Return True if a key is a member of a review that watches this practice game now."""
        # A copy: removing members may drop a review.
        for review in list(self._by_room.values()):
            if review.branch_id == branch_id:
                self._remove_unauthorised(review)
                # Asked again: removing the leader ends the practice game.
                if review.branch_id == branch_id and review.member(key) is not None:
                    return True
        return False

    def names(self, room_id: str) -> tuple[str, ...]:
        """Return the names of the connected members of a review."""
        review = self._by_room.get(room_id)
        members = () if review is None else review.members.values()
        return tuple(one.name for one in members if one.sessions)

    def rooms(self, key: bytes) -> list[str]:
        """Return at most `MAX_LINES` rooms whose review a key may join, newest review first."""
        found = [
            review
            for review in self._by_room.values()
            if not review.is_empty and self.may_open(review.room_id, key)
        ]
        found.sort(key=lambda one: (-one.opened_at, one.room_id))
        return [review.room_id for review in found[:MAX_LINES]]

    def _remove_unauthorised(self, review: _Review) -> None:
        """
        Remove and notify members who may no longer open the game.

        If the leader is among them, a connected member becomes leader; a review without members is
        dropped.
        """
        for member in list(review.members.values()):
            if not self.may_open(review.room_id, member.key):
                del review.members[member.number]
                _tell(member, _notice(review.room_id, ENDED))
        if not review.members:
            self._by_room.pop(review.room_id, None)
        else:
            review.find_leader()

    def _tell(self, review: _Review, message: messages.ServerMessage) -> None:
        for member in review.members.values():
            _tell(member, message)

    def _tell_state(self, review: _Review) -> None:
        self._remove_unauthorised(review)
        for member in review.members.values():
            _tell(member, review.state_for(member))


def tell_of(room_id: str, sessions: Iterator[Session]) -> None:
    """Notify sessions that a review of a room has begun."""
    for session in sessions:
        session.send(_notice(room_id, OPEN))


def _notice(room_id: str, code: str) -> messages.Notice:
    return messages.Notice(room_id, code, Text(f"refusal/{code}"), "")


def _tell(member: _Member, message: messages.ServerMessage) -> None:
    for session in member.sessions:
        session.send(message)
