"""Rules of the operator's inputs."""

from protocol.common import events
from protocol.event import Record
from protocol.validity.form import by_operator
from protocol.validity.state import State, effect, need, table_rule


@table_rule(events.OperatorPaused)
def _paused(state: State, record: Record, _paused: events.OperatorPaused) -> None:
    by_operator(record)
    need(not state.room.is_paused_by_operator, "that is so already")


@table_rule(events.OperatorResumed)
def _resumed(state: State, record: Record, _resumed: events.OperatorResumed) -> None:
    by_operator(record)
    need(state.room.is_paused_by_operator, "that is so already")


@table_rule(events.OperatorClosed)
def _closed(_state: State, record: Record, _closed: events.OperatorClosed) -> None:
    by_operator(record)


@effect(events.OperatorClosed)
def _ends(state: State, _record: Record, _closed: events.OperatorClosed) -> None:
    state.due = events.RoomClosed
