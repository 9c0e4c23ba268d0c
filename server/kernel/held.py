"""
State held in memory alone: the answers in an open window, and the stops of the seats.

None of it is on the log or sent to anybody before the window closes, and a process that ends
takes it along. Then the window opens again, and those who were asked say theirs again.
"""

import attrs

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.table import OpenAsk, RoomTable
from protocol.event import hidden
from protocol.values import frozen


@frozen
class SeatStops:
    """On which windows the owner of a seat stops the game."""

    key: bytes
    """The owner's public key: the next owner of the seat has set no stops."""
    kinds: frozenset[str] = attrs.field(repr=False)
    is_everywhere: bool = attrs.field(repr=False)

    def stand_at(self, kind: str) -> bool:
        """Return whether a window of this kind is stopped at."""
        return self.is_everywhere or kind in self.kinds


@attrs.define
class Holding:
    """All that is held for one room."""

    _ask_id: int = attrs.field(default=-1, init=False)
    """The window that the answers belong to."""
    _answers: dict[int, str] = attrs.field(factory=dict, init=False, repr=False)
    """Id of the last choice of each seat."""
    _stops: dict[int, SeatStops] = attrs.field(factory=dict, init=False, repr=False)

    def keep(self, ask_id: int, seat: int, choice_id: str) -> None:
        """Keep an answer in place of the one that the seat gave before."""
        if ask_id != self._ask_id:
            self._ask_id, self._answers = ask_id, {}
        self._answers[seat] = choice_id

    def together(self, ask: OpenAsk) -> events.AnsweredTogether:
        """Return what closes the open window; for a seat that said nothing, its pass."""
        given = self._answers if ask.ask_id == self._ask_id else {}
        answers = {}
        for seat, question in ask.questions.items():
            (passing,) = question.value.passing
            answers[seat] = hidden(events.Held.of(given.get(seat, passing)))
        return events.AnsweredTogether(ask.ask_id, answers)

    def stop(self, seat: int, stops: SeatStops) -> None:
        """Keep the stops of a seat in place of those before."""
        self._stops[seat] = stops

    def is_passed(self, room: RoomTable) -> bool:
        """Return whether the question just asked is a window at which nobody asked has a stop."""
        ask = room.ask
        if ask is None or ask.settle is not Settle.WINDOW or not room.settings.stops:
            return False
        return not any(self._stops_at(room, seat, ask.kind) for seat in ask.questions)

    def _stops_at(self, room: RoomTable, seat: int, kind: str) -> bool:
        stops = self._stops.get(seat)
        return stops is not None and stops.key == room.seats[seat].key and stops.stand_at(kind)
