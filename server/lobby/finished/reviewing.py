"""What clients ask of reviews and of the notes kept with a game."""

from typing import TYPE_CHECKING

import attrs

from protocol import messages
from protocol.common.table import Stage
from server.kernel.errors import Refused
from server.lobby.finished.export import may_be_whole
from server.lobby.finished.game_notes import GameNotes, told_to
from server.lobby.finished.reviews import Reviews, tell_of
from server.lobby.requests.visitor import Visitor
from server.lobby.rooms.host import RoomHost

if TYPE_CHECKING:
    from server.lobby.desk import LobbyDesk

_OnGame = messages.JoinReview | messages.ListGameNotes | messages.NoteGame | messages.UnnoteGame


@attrs.define(eq=False)
class Reviewing:
    """The reviews of a desk, and the notes kept with its games."""

    desk: "LobbyDesk"
    notes: GameNotes = attrs.field(init=False)
    reviews: Reviews = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Begin with no review."""
        around = self.desk.around
        self.notes = GameNotes(around.store)
        self.reviews = Reviews(around.clock.seconds, around.now, self.may_open, self._is_practice)

    def may_open(self, room_id: str, key: bytes) -> bool:
        """Return whether a key may open the finished game of a room now."""
        summary = self.desk.registry.summaries.get(room_id)
        if summary is None or summary.stage is not Stage.OVER:
            return False
        return key in summary.keys or self.desk.shared.is_open(room_id)

    def _is_practice(self, branch_id: str, room_id: str, key: bytes) -> bool:
        """Return whether a room is a practice game of a key that branches off another room."""
        summary = self.desk.registry.summaries.get(branch_id)
        return summary is not None and summary.source_id == room_id and key in summary.keys

    def listed(self, visitor: Visitor, message: messages.ListReviews) -> messages.Reviews:
        """Return the reviews that somebody may join."""
        rooms = self.reviews.rooms(visitor.session.account.key)
        found = [self.desk.registry.summaries[room_id] for room_id in rooms]
        self.desk.tell_words(visitor, [one.scenario for one in found])
        lines = (
            messages.ReviewLine(
                one.room_id, one.scenario, one.names, self.reviews.names(one.room_id)
            )
            for one in found
        )
        return messages.Reviews(message.serial, tuple(lines))

    async def deal(self, visitor: Visitor, host: RoomHost, message: _OnGame) -> None:
        """
        Do what somebody asks of a finished game.

        Raises:
            Refused: they may not open the whole of it, or not write there.
        """
        session, room = visitor.session, host.room.table.room
        key = session.account.key
        if not self.may_open(room.room_id, key):
            raise Refused("table/no_seat" if room.stage is Stage.OVER else "table/not_over")
        if not may_be_whole(room):
            raise Refused("table/keeps_log")
        # What is said of a game tells of its setup.
        await self.desk.setups.known.note(room, [key])
        if isinstance(message, messages.JoinReview):
            await self._join(visitor, host)
            return
        if isinstance(message, messages.ListGameNotes):
            session.send(told_to(key, room.room_id, await self.notes.of(room.room_id)))
            return
        if room.seat_of(key) is None:
            raise Refused("table/no_seat")
        if isinstance(message, messages.NoteGame):
            await self._write(visitor, host, message)
        else:
            await self.notes.remove(key, message)
        await self._tell_notes(visitor, room.room_id)

    async def _write(self, visitor: Visitor, host: RoomHost, message: messages.NoteGame) -> None:
        if message.event >= len(host.room.log):
            raise Refused("table/no_such_record")
        account = visitor.session.account
        await self.notes.write(account.key, account.name, message)

    async def _join(self, visitor: Visitor, host: RoomHost) -> None:
        room, session = host.room.table.room, visitor.session
        notes = await self.notes.of(room.room_id)
        if visitor.is_gone:
            return
        is_new, said = self.reviews.join(room, session)
        for message in (*said, told_to(session.account.key, room.room_id, notes)):
            session.send(message)
        if is_new:
            # Strangers who may open it find it in their list.
            seats = {seat.key for seat in room.seats.values()} - {session.account.key}
            tell_of(room.room_id, self.desk.sessions_of(seats))

    async def _tell_notes(self, visitor: Visitor, room_id: str) -> None:
        """Tell the writer, and everybody in the review, of notes that have changed."""
        notes = await self.notes.of(room_id)
        told = dict[int, None]()
        account = visitor.session.account
        for key, session in ((account.key, visitor.session), *self.reviews.members(room_id)):
            if id(session) not in told:
                told[id(session)] = None
                session.send(told_to(key, room_id, notes))
