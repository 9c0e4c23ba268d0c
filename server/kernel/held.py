"""
State held in memory alone: answers that do not count yet, and the stops of the seats.

Held are the answers in an open window, and that of a seat that decides while others may interrupt.
None of this state is on the log, and no client receives any of it before the question is settled.
The state is lost with the process: after a restart the seats answer again.
"""

import attrs

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.standing import covers
from protocol.common.table import OpenAsk, RoomTable
from protocol.event import hidden
from protocol.values import frozen
from server.kernel.admission.by_table import refuse_unless


@frozen
class SeatStops:
    """The windows at which the owner of a seat stops the game."""

    key: bytes
    """Public key of the owner who set the stops. A new owner of the seat does not inherit them."""
    kinds: frozenset[str] = attrs.field(repr=False)
    is_everywhere: bool = attrs.field(repr=False)

    def stops_at(self, kind: str) -> bool:
        """Return whether the owner stops at a kind of window, or at a group that has the kind."""
        return self.is_everywhere or any(covers(name, kind) for name in self.kinds)


@attrs.define
class Holding:
    """Held answers to the open question, and stops of the seats, of one room."""

    _ask_id: int = attrs.field(default=-1, init=False)
    """Id of the question to which the answers belong; -1 for none."""
    _answers: dict[int, tuple[str, ...]] = attrs.field(factory=dict, init=False, repr=False)
    """Ids of the last choices of each seat."""
    _done: set[int] = attrs.field(factory=set, init=False, repr=False)
    """Seats that were done with the window when they gave their last answer."""
    _stops: dict[int, SeatStops] = attrs.field(factory=dict, init=False, repr=False)

    def take_over(self, earlier: "Holding") -> None:
        """Hold what was held for the same room before it was read again."""
        self._ask_id, self._answers = earlier._ask_id, earlier._answers  # noqa: SLF001 (of its own class)
        self._done, self._stops = earlier._done, earlier._stops  # noqa: SLF001 (of its own class)

    def keep(self, ask_id: int, seat: int, picks: tuple[str, ...], *, is_done: bool) -> None:
        """Hold the latest answer of a seat; drop the answers to any other question."""
        if ask_id != self._ask_id:
            self._ask_id, self._answers, self._done = ask_id, {}, set()
        self._answers[seat] = picks
        if is_done:
            self._done.add(seat)
        else:
            self._done.discard(seat)

    def drop(self) -> None:
        """Drop all held answers; the stops stay."""
        self._ask_id, self._answers, self._done = -1, {}, set()

    def is_everybody_done(self, room: RoomTable) -> bool:
        """
        Return True if the open window may close before its time, because all asked seats are done.

        At a table whose settings have no stops, the result is False.
        """
        ask = room.ask
        if ask is None or ask.settle is not Settle.WINDOW or not room.settings.stops:
            return False
        return ask.ask_id == self._ask_id and self._done >= ask.questions.keys()

    def together(self, room: RoomTable) -> events.AnsweredTogether:
        """Return the input that closes the open window; seats without a held answer pass."""
        ask = room.ask
        assert ask is not None
        given = self._answers if ask.ask_id == self._ask_id else {}
        answers = {}
        for seat, question in ask.questions.items():
            put = question.value
            answers[seat] = hidden(events.Held.of(given.get(seat, put.passing), put.at_most))
        return events.AnsweredTogether(ask.ask_id, answers)

    def decision(self, ask: OpenAsk | None) -> events.Answered | None:
        """Return the input with the held answer of the seat that decides; None if there is none."""
        if ask is None or ask.ask_id != self._ask_id or ask.decides not in self._answers:
            return None
        return events.Answered(ask.decides, ask.ask_id, hidden(self._answers[ask.decides]))

    def stop(
        self, room: RoomTable, seat: int, kinds: frozenset[str], *, is_everywhere: bool
    ) -> None:
        """Set the stops of a seat. Refused: the table has no stops, or no such seat."""
        refuse_unless(seat in room.seats, "table/no_such_seat")
        refuse_unless(room.settings.stops, "table/no_stops")
        self._stops[seat] = SeatStops(room.seats[seat].key, kinds, is_everywhere)

    def is_passed(self, room: RoomTable) -> bool:
        """
        Return True if the open question is a window at which no asked seat stops the game.

        At a table whose settings have no stops, the result is False.
        """
        ask = room.ask
        if ask is None or ask.settle is not Settle.WINDOW or not room.settings.stops:
            return False
        return not any(self._stops_at(room, seat, ask.kind) for seat in ask.questions)

    def _stops_at(self, room: RoomTable, seat: int, kind: str) -> bool:
        stops = self._stops.get(seat)
        return stops is not None and stops.key == room.seats[seat].key and stops.stops_at(kind)
