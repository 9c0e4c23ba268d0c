"""Draining for an update: no new tables, and the server ends when nobody plays or time is up."""

from pathlib import Path

import pytest

from protocol import messages
from protocol.common.table import Settings
from server.admin.vocabulary import (
    AskState,
    BackUp,
    BeginDrain,
    CancelDrain,
    Done,
    No,
    State,
)
from tests.admin.office import Office
from tests.kit.servers.tables import start_all

pytestmark = pytest.mark.issue(15)


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


def test_a_server_where_nobody_plays_ends_soon(office: Office) -> None:
    office.house.open_table(office.house.client("Ann"))

    office.ask(BeginDrain(30))
    office.house.settle(5)

    assert len(office.ended) == 1


def test_a_game_that_is_played_goes_on_until_its_players_leave(office: Office) -> None:
    ann, ben = start_all(office.house, ["Ann", "Ben"])

    office.ask(BeginDrain(30))
    office.house.settle(60)
    assert office.ended == []
    for client in (ann, ben):
        client.disconnect()
    office.house.settle(5)
    assert len(office.ended) == 1


def test_a_game_that_is_played_keeps_the_server_so_long_and_no_longer(office: Office) -> None:
    start_all(office.house, ["Ann", "Ben"])
    began = office.house.clock.seconds()

    office.ask(BeginDrain(2))
    told = office.ask(AskState())
    assert isinstance(told, State)
    assert 110 <= told.ends_in_seconds <= 120
    office.house.settle(130)
    assert [at - began for at in office.ended] == [pytest.approx(120, abs=3)]


def test_everybody_is_told_and_no_table_is_opened(office: Office) -> None:
    guest, ann = office.guest("Ann"), office.house.client("Ben")
    start_all(office.house, ["Cat", "Dan"])

    assert office.ask(BeginDrain(30)) == Done(1)
    notice = guest.said[-1]
    assert isinstance(notice, messages.Notice)
    assert notice.code == "server/draining"
    ann.port.open_table(office.house.scenario_id(), Settings())
    office.house.settle()
    assert ann.session.last(messages.Refusal).code == "table/draining"
    assert office.ask(CancelDrain()) == Done()
    office.house.open_table(ann)
    office.house.settle(60)
    assert office.ended == []
    assert office.ask(CancelDrain()) == No("not_draining")


def test_a_drain_that_was_taken_back_ends_nothing(office: Office) -> None:
    office.house.open_table(office.house.client("Ann"))
    office.ask(BeginDrain(30))
    assert office.ask(CancelDrain()) == Done()

    office.house.settle(60)

    assert office.ended == []


def test_a_drain_that_was_begun_twice_ends_the_server_once(office: Office) -> None:
    start_all(office.house, ["Ann", "Ben"])
    began = office.house.clock.seconds()
    office.ask(BeginDrain(2))
    office.ask(BeginDrain(4))

    office.house.settle(400)

    assert [at - began for at in office.ended] == [pytest.approx(240, abs=3)]


def test_a_backup_is_written_where_it_was_said(office: Office, tmp_path: Path) -> None:
    target = tmp_path / "monday"

    assert office.ask(BackUp(str(target))) == Done()
    assert office.saved == [target]
    refused = [office.ask(BackUp(path)) for path in ("monday", str(tmp_path))]
    assert [one.code for one in refused if isinstance(one, No)] == ["no_path", "no_backup"]
