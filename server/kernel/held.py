"""
State held in memory alone: the answers in an open window, and the stops of the seats.

None of this state is on the log, and no client receives any of it before the window closes. The
state is lost with the process: after a restart the window opens again, and the seats answer again.
"""

import attrs

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.standing import covers
from protocol.common.table import OpenAsk, RoomTable
from protocol.event import hidden
from protocol.values import frozen


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
    """Answers in the open window, and stops of the seats, of one room."""

    _ask_id: int = attrs.field(default=-1, init=False)
    """Id of the window to which the answers belong; -1 for none."""
    _answers: dict[int, tuple[str, ...]] = attrs.field(factory=dict, init=False, repr=False)
    """Ids of the last choices of each seat."""
    _stops: dict[int, SeatStops] = attrs.field(factory=dict, init=False, repr=False)

    def keep(self, ask_id: int, seat: int, picks: tuple[str, ...]) -> None:
        """Hold the latest answer of a seat; drop the answers to any other window."""
        if ask_id != self._ask_id:
            self._ask_id, self._answers = ask_id, {}
        self._answers[seat] = picks

    def together(self, ask: OpenAsk) -> events.AnsweredTogether:
        """Return the input that closes the open window; seats without a held answer pass."""
        given = self._answers if ask.ask_id == self._ask_id else {}
        answers = {}
        for seat, question in ask.questions.items():
            put = question.value
            answers[seat] = hidden(events.Held.of(given.get(seat, put.passing), put.at_most))
        return events.AnsweredTogether(ask.ask_id, answers)

    def stop(self, seat: int, stops: SeatStops) -> None:
        self._stops[seat] = stops

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
