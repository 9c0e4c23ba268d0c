"""Sends held answers and stops, and repeats them because a restarted server forgets both."""

from collections.abc import Callable
from typing import Any

import attrs

from client.model.model import ClientModel
from client.model.off_log import HeldAnswer, Stops, Unfit
from protocol import messages
from protocol.common.table import OpenAsk


@attrs.define(eq=False)
class OffLogPart:
    """The writer of `ClientModel.off_log`; sends the contents again after an interruption."""

    model: ClientModel
    send: Callable[[messages.ClientMessage], bool]
    """Sends a message that gets no reply."""
    next_serial: Callable[[], int]
    set_stops: Callable[[Stops], None]
    """Sends the stops of the followed table."""
    _must_repeat: bool = attrs.field(default=False, init=False)
    """True between entering a table and repeating the held answer and the stops."""
    _serial: int = attrs.field(default=0, init=False)
    """Serial of the message with the held answer."""

    def hold(self, room_id: str, ask: OpenAsk, picks: tuple[str, ...], *, is_done: bool) -> None:
        """Give an answer that counts when the window closes, or once the question is old enough."""
        self._set(held=HeldAnswer(room_id, ask.ask_id, picks, is_done))
        self._send_held()
        self.model.changed()

    def note_refusal(self, refused: messages.Refusal) -> None:
        """Forget the held answer if the server refused to hold it."""
        # A table that has stopped is sent it again when it goes on.
        if refused.serial == self._serial and refused.code != "table/stopped":
            self._set(held=None)

    def note_stops(self, room_id: str, stops: Stops) -> None:
        """Remember the stops that were just sent."""
        self._set(stops={**self.model.off_log.stops, room_id: stops})

    def note_notice(self, code: str) -> None:
        """Note that the player knows the table's setup, or that a rule failed on a held answer."""
        view = self.model.view
        if code == "answer/dropped":
            self._set(held=None)
        elif view is not None and (setup := view.table.room.fixed_setup) is not None:
            self._set(setup_known=(view.room_id, setup))

    def note_unfit(self, refused: messages.Refusal) -> None:
        """Store the rules' refusal of the viewer's preparation."""
        if self.model.view is not None:
            self._set(unfit=Unfit.judge(self.model.view, refused))

    def repeat(self, *, is_new: bool = False) -> None:
        """
        Send the held answer and the stops again, once after each call with `is_new`.

        Wait for a later call while older records are still missing.

        Args:
            is_new: True if the server may have lost them.
        """
        self._must_repeat |= is_new
        view, off_log = self.model.view, self.model.off_log
        if view is None or self.model.is_catching_up or not self._must_repeat:
            return
        self._must_repeat = False
        if view.room_id in off_log.stops and view.seat is not None:
            self.set_stops(off_log.stops[view.room_id])
        if self.model.held_picks is not None:
            self._send_held()

    def _send_held(self) -> None:
        held = self.model.off_log.held
        if held is not None:
            serial = self._serial = self.next_serial()
            fields = (held.room_id, held.ask_id, held.picks, held.is_done)
            self.send(messages.AnswerInWindow(serial, *fields))

    def _set(self, **changes: Any) -> None:
        self.model.off_log = attrs.evolve(self.model.off_log, **changes)
