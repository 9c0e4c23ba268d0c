"""Actions of the operator as the players experience them: a pause, and an end."""

import attrs
import pytest
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol import messages
from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import Settings, Stage
from protocol.event import OPERATOR
from server.admin.tables import ActOnTable, act_on_table
from server.admin.vocabulary import CloseTable, PauseTable, ResumeTable
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import happened, records_of, room_id_of, room_of, start_all

pytestmark = pytest.mark.issue(15)

WHY = b"the machine is moved"
REASON = WHY.decode()
LIMIT = Settings(time_limit_seconds=60)
CALENDAR = Settings(time_limit_seconds=600, by_calendar=True)
WATCHED = Settings(spectators=True)


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def act(house: House, done: ActOnTable) -> int:
    """Act as the operator; return the number of clients informed, or raise the refusal."""
    doing = Deferred.fromCoroutine(act_on_table(house.lobby, done))
    house.settle()
    told: list[int] = []
    failed: list[Failure] = []
    _ = doing.addCallbacks(told.append, failed.append)
    for failure in failed:
        failure.raiseException()
    return told[0]


def test_who_is_at_the_table_sees_why_it_stands_still(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    ask = room_of(house, ada).ask
    assert ask is not None

    told = act(house, PauseTable(room_id_of(ada), REASON))

    assert told == 2
    for client in (ada, ben):
        assert client.model.view is not None
        assert client.model.view.table.room.operator_reason == WHY
        assert client.model.view.my_question() is None
    ada.port.vote(ask.ask_id, ask.questions[0].value.default)
    house.settle()
    assert ada.session.last(messages.Refusal).code == "table/paused_by_operator"


def test_no_time_runs_while_a_game_is_paused(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], LIMIT)
    room_id = room_id_of(ada)
    house.settle(40)
    act(house, PauseTable(room_id, REASON))
    assert house.host_of(ada).clock.seconds_left() is None
    house.settle(500)
    assert not happened(house, room_id, events.TimedOut)

    act(house, ResumeTable(room_id, REASON))
    house.settle(40)
    assert not happened(house, room_id, events.TimedOut)
    house.settle(25)

    assert len(happened(house, room_id, events.TimedOut)) == 1


def test_a_paused_game_is_paused_after_a_restart(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], CALENDAR)
    room_id = room_id_of(ada)
    act(house, PauseTable(room_id, REASON))
    for client in (ada, ben):
        client.disconnect()
    house.restart_after(5000)
    house.settle(5)
    assert house.lobby.registry.hosts == {}

    again = house.client("Ada")
    again.port.enter(room_id)
    house.settle()

    assert again.model.view is not None
    assert again.model.view.table.room.operator_reason == WHY
    assert not happened(house, room_id, events.TimedOut)


def test_a_table_that_sleeps_is_paused_and_goes_on(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], CALENDAR)
    room_id = room_id_of(ada)
    for client in (ada, ben):
        client.disconnect()
    house.settle(5)
    assert house.lobby.registry.hosts == {}

    assert act(house, PauseTable(room_id, REASON)) == 0
    summary = house.lobby.registry.summaries[room_id]
    assert (summary.is_paused, summary.due, summary.waiting_for) == (True, 0, ())
    assert house.lobby.registry.hosts == {}
    act(house, ResumeTable(room_id, REASON))

    summary = house.lobby.registry.summaries[room_id]
    went_on = records_of(house, room_id)[-1]
    assert isinstance(went_on.event, events.OperatorResumed)
    assert (summary.is_paused, summary.due) == (False, went_on.time + 600_000)
    house.settle(605)
    assert len(happened(house, room_id, events.TimedOut)) >= 1


def test_a_closed_game_is_told_as_closed_and_verifies(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)

    act(house, CloseTable(room_id, REASON))

    assert room_of(house, ben).stage is Stage.OVER
    (record,) = (
        one for one in records_of(house, room_id) if one.event == events.OperatorClosed(WHY)
    )
    assert record.origin == OPERATOR
    ada.send(messages.ExportTable(9999, room_id))
    house.settle()
    report = audit(load(b"".join(part.data for part in ada.session.all(messages.ExportPart))))
    assert report.is_whole
    assert report.is_finished


def test_the_log_tells_nothing_of_the_operator_but_the_reason(house: House) -> None:
    """The reason is bytes: a text could be a key whose words would be sent along."""
    ada, _ = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)

    act(house, PauseTable(room_id, "core/house"))

    (paused,) = happened(house, room_id, events.OperatorPaused)
    assert paused == events.OperatorPaused(b"core/house")


def test_who_looks_on_sees_the_pause_too(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], WATCHED)
    watcher: Client = house.client("Cleo")
    watcher.port.watch(ada.session.last(messages.TableOpened).watch_code)
    house.settle()

    act(house, PauseTable(room_id_of(ada), REASON))

    assert watcher.model.view is not None
    assert watcher.model.view.table.room.operator_reason == WHY


def test_a_paused_game_of_bots_is_not_kept_in_memory(house: House) -> None:
    """Bots cannot answer during a pause, so there is nothing to wait for."""
    ada, _ = start_all(house, ["Ada", "Ben"])
    host = house.host_of(ada)
    state = host.room._state
    bots = {n: attrs.evolve(seat, is_bot=True) for n, seat in host.room.table.room.seats.items()}

    state.table = state.table.with_room(seats=bots)
    assert host._are_bots_asked
    state.table = state.table.with_room(operator_reason=WHY)

    assert not host._are_bots_asked
