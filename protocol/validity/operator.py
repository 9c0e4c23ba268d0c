"""What whoever runs the server does at a table: who says it, when, and what follows."""

from protocol.common import events as on
from protocol.event import Record
from protocol.validity.form import by_operator
from protocol.validity.state import State, effect, need, table_rule


@table_rule(on.OperatorPaused)
def _paused(state: State, record: Record, _paused: on.OperatorPaused) -> None:
    by_operator(record)
    need(not state.room.is_paused_by_operator, "that is so already")


@table_rule(on.OperatorResumed)
def _resumed(state: State, record: Record, _resumed: on.OperatorResumed) -> None:
    by_operator(record)
    need(state.room.is_paused_by_operator, "that is so already")


@table_rule(on.OperatorClosed)
def _closed(_state: State, record: Record, _closed: on.OperatorClosed) -> None:
    by_operator(record)


@effect(on.OperatorClosed)
def _ends(state: State, _record: Record, _closed: on.OperatorClosed) -> None:
    state.due = on.RoomClosed
