"""
Practice games: one client controls every seat, switching to the seat that is asked.

The client tells the server for which seat it acts, contributes a share of chance for each seat, and
follows the leader of a review into a practice game and back.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

import attrs

from client.model.model import ClientModel
from client.model.tables import TableView
from client.net.ceremony import Make, OwnPart
from protocol import messages

_SILENT = (messages.EnterTable, messages.LeaveTable, messages.ExportTable, messages.SpeakFor)
"""Messages that no seat sends."""


class Port(Protocol):
    """The part of a port that practice needs."""

    def next_serial(self) -> int: ...

    def say(self, message: messages.ClientMessage) -> None: ...

    def follow(self, room_id: str) -> None: ...

    def unfollow(self) -> None: ...

    def list_tables(self) -> None: ...


@attrs.define(eq=False)
class PracticePart:
    """The part of a port that enters and leaves practice games, and chooses the acting seat."""

    model: ClientModel
    port: Port
    new_part: Callable[[], OwnPart] = attrs.field(repr=False)
    """Returns a new state for one seat's part in the ceremony."""
    want: Callable[[str], None]
    """Records that the player chose to be at a table."""
    _said: tuple[str, int] | None = attrs.field(default=None, init=False)
    """The room and seat that the client last announced to the server on this connection."""
    _shares: dict[tuple[str, int], OwnPart] = attrs.field(factory=dict, init=False)
    _beside: str = attrs.field(default="", init=False)
    """The table that was followed before the practice game; empty if there was none."""

    def offline(self) -> None:
        """Forget the announced seat, because the server forgets it at a disconnection."""
        self._said = None

    def announce_seat(
        self, message: messages.ClientMessage, send: Callable[[messages.ClientMessage], object]
    ) -> None:
        """Tell the server for which seat the next message is, unless the server knows it."""
        seat, view = self._seat_to_say(message), self.model.view
        # The server handles messages in order, so that the seat is known when the message arrives.
        if seat is not None and view is not None:
            send(messages.SpeakFor(self.port.next_serial(), view.room_id, seat))

    def _seat_to_say(self, message: messages.ClientMessage) -> int | None:
        """Return the seat to announce before a message; None if the server knows it already."""
        view = self.model.view
        if view is None or not view.is_practice or view.seat is None:
            return None
        if not isinstance(message, messages.RoomMessage) or isinstance(message, _SILENT):
            return None
        if message.room_id != view.room_id or self._said == (view.room_id, view.seat):
            return None
        # Announced once: the server acts for this seat until another one is announced.
        self._said = view.room_id, view.seat
        return view.seat

    def due(self, view: TableView) -> Iterator[Make]:
        """Yield the due messages of every seat's ceremony.

        While a message is yielded, `view` shows the seat that sends it.
        """
        for part in self._parts(view):
            # The message is sent while suspended here, so it is announced for this seat.
            yield from part.due(view)

    def _parts(self, view: TableView) -> Iterator[OwnPart]:
        """Yield each seat's part of the ceremony; meanwhile, `view` shows that seat."""
        before = view.seat
        if before is None:
            return
        for seat in view.table.room.seats:
            view.seat = seat
            yield self._shares.setdefault((view.room_id, seat), self.new_part())
        view.seat = before

    def is_replaced(self, view: TableView) -> bool:
        """Return whether the log binds a seat to a share that is not the player's."""
        if not view.is_practice:
            return False
        # All of them, so that the view shows its own seat again.
        replaced = [part.is_replaced(view) for part in self._parts(view)]
        return any(replaced)

    def resend(self) -> None:
        """Let `due` yield the messages of this start again, after a refusal."""
        for part in self._shares.values():
            part.resend()

    def switch_seat(self, view: TableView) -> None:
        """Switch to a seat that has to answer, if the current seat has not."""
        if view.seat is None or view.ask is None or view.seat in view.ask.waiting_for:
            return
        view.seat = next(iter(view.ask.waiting_for), view.seat)

    # Coming and going

    def handle(self, message: messages.ServerMessage, asked: messages.ClientMessage | None) -> bool:
        """Handle a message about practice games; return False if others must handle it too."""
        match message, asked:
            case messages.Joined(), messages.Practise():
                review = self.model.review
                if review is not None and review.room_id == asked.room_id and review.is_leader:
                    serial = self.port.next_serial()
                    self.port.say(messages.SupposeInReview(serial, asked.room_id, message.room_id))
                self.want(message.room_id)
                self.go_to(message.room_id)
                # The usual handling would enter the table as if by an invitation.
                return True
            case messages.ReviewState(), _:
                self._follow_leader(message)
            case messages.Refusal(), messages.EnterTable(room_id=self.model.finished.practice):
                if self.model.finished.practice:
                    self.come_back()
            case _:
                pass
        return False

    def _follow_leader(self, state: messages.ReviewState) -> None:
        """Follow the leader of a review to a practice game or back.

        The model still has the state before `state`.
        """
        review, view = self.model.review, self.model.view
        is_same = review is not None and review.room_id == state.room_id
        before = review.state.branch_id if review is not None and is_same else ""
        if state.branch_id == before:
            return
        if state.branch_id:
            # The leader is in the practice game already.
            if state.me != state.leader:
                self.go_to(state.branch_id)
        elif view is not None and view.room_id == before and view.seat is None:
            # Only spectators return: the owner of the practice game plays on.
            self.come_back()

    def go_to(self, room_id: str) -> None:
        """Follow a practice game. The replay from which the practice game was opened stays open."""
        view = self.model.view
        # From one practice game to another, the table below stays the same.
        if not self.model.finished.practice:
            self._beside = view.room_id if view is not None else ""
        self._set_practice(room_id)
        self.port.follow(room_id)

    def _set_practice(self, room_id: str) -> None:
        self.model.finished = attrs.evolve(self.model.finished, practice=room_id)

    def come_back(self, *, is_there: bool = True) -> None:
        """
        Leave the practice game and follow the previous table; a leader takes all members along.

        Args:
            is_there: whether the practice game still exists, so that the server must be told.
        """
        room_id, review = self.model.finished.practice, self.model.review
        is_shown = review is not None and review.state.branch_id == room_id
        if review is not None and review.is_leader and is_shown:
            serial = self.port.next_serial()
            self.port.say(messages.SupposeInReview(serial, review.room_id, ""))
        if is_there:
            self.port.say(messages.LeaveTable(self.port.next_serial(), room_id))
        self.port.unfollow()
        # Whatever was sent there is kept on disk; a game that is entered again begins anew.
        self._shares.clear()
        self._set_practice("")
        beside, self._beside = self._beside, ""
        if beside:
            self.port.follow(beside)
        # The list has the game now, or has lost it.
        self.port.list_tables()
        self.model.changed()
