"""Questions to the table, from the asking to the answer."""

from collections.abc import Mapping

from protocol.common.asks import Question, Settle
from protocol.common.table import OpenAsk, RoomEvent, RoomTable, Table, TableEvent
from protocol.common.text import Text
from protocol.event import EACH, Record, Sealed, event, secret
from protocol.evolving import evolve


@event("asked")
class Asked(TableEvent):
    """The table was asked something, and waits."""

    ask_id: int
    rule: str
    about: Text
    settle: Settle
    lots: tuple[tuple[str, int], ...]
    questions: Mapping[int, Sealed[Question]] = secret(to=EACH)

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the question open."""
        ask = OpenAsk(
            self.ask_id,
            self.rule,
            self.about,
            self.settle,
            self.questions,
            self.lots,
            record.time,
        )
        return table.with_room(ask=ask, next_ask_id=self.ask_id + 1)


def _answered_by(table: RoomTable, seat: int) -> RoomTable:
    assert table.ask is not None
    answered = tuple(sorted({*table.ask.answered, seat}))
    return evolve(table, ask=evolve(table.ask, answered=answered))


@event("answered", is_input=True)
class Answered(RoomEvent):
    """A seat answered; what the table learns of it is said by what follows."""

    seat: int
    ask_id: int
    picks: Sealed[tuple[str, ...]] = secret(to="seat")

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that seat no longer waited for."""
        return _answered_by(table, self.seat)


@event("voted", is_input=True)
class Voted(RoomEvent):
    """A seat said openly what it is for; it may say otherwise until all agree. DECIDE-141."""

    seat: int
    ask_id: int
    choice_id: str

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that vote."""
        assert table.ask is not None
        votes = dict(sorted({**table.ask.votes, self.seat: self.choice_id}.items()))
        return evolve(table, ask=evolve(table.ask, votes=votes))


@event("lot_called", is_input=True)
class LotCalled(RoomEvent):
    """All have voted and differ: somebody called for the lot. Rule CONFLICT-3."""

    seat: int
    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room as it was; the pick follows."""
        return table


@event("timed_out", is_input=True)
class TimedOut(RoomEvent):
    """Nobody answered in time; the defaults are taken for those who are missing."""

    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room as it was; what follows settles the question."""
        return table


@event("settled")
class Settled(RoomEvent):
    """The question has its answer."""

    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with no question open."""
        return evolve(table, ask=None)


@event("rested")
class Rested(TableEvent):
    """A procedure is finished: from here on the table alone says what comes next."""

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with this rest point kept."""
        return table.rested(record.sequence)
