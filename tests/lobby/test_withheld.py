"""Withheld shares: players who let starts fail can be removed, and the others are warned."""

import attrs
import pytest

from client.model.status import Online
from protocol import messages
from protocol.common import events
from protocol.common.table import MAX_WITHHELD, Stage
from server.lobby.rooms.room_clock import START_SECONDS
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, happened, room_id_of, room_of, seat_all
from tests.lobby.test_clock import commit


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def fail_to_start(house: House, clients: list[Client], silent: Client, *, binds: bool) -> None:
    """Let a start fail because a silent client does not commit, or does not open its share."""
    hear, silent.session.hear = silent.session.hear, None
    clients[0].port.start()
    house.settle()
    if binds:
        commit(silent)
        house.settle()
    house.settle(START_SECONDS)
    silent.session.hear = hear
    silent.port.status_changed(attrs.evolve(silent.model.status))
    silent.port.enter(room_id_of(clients[0]))
    house.settle()
    silent.port.set_ready(True)
    house.settle()
    assert room_of(house, clients[0]).stage is Stage.LOBBY


def withheld(house: House, times: int, *, binds: bool = False) -> list[Client]:
    """Return three clients, the second of which has let starts fail."""
    clients = seat_all(house, ["Ada", "Ben", "Cleo"])
    get_ready(house, clients)
    for _ in range(times):
        fail_to_start(house, clients, clients[1], binds=binds)
    return clients


def test_the_host_empties_the_seat_of_who_withheld_twice(house: House) -> None:
    ada, ben, cleo = withheld(house, MAX_WITHHELD)

    ada.port.empty_seat(1)
    house.settle()

    assert happened(house, room_id_of(ada), events.SeatEmptied) == [events.SeatEmptied(1)]
    assert ben.model.view is None
    assert "emptied your seat" in ben.model.bar.text
    assert [line.room_id for line in ben.model.lobby.tables or ()] == []
    ada.port.start()
    house.settle()
    assert room_of(house, ada).stage is Stage.PLAYING
    assert cleo.model.view is not None


def test_nobody_else_empties_a_seat(house: House) -> None:
    ada, _, cleo = withheld(house, MAX_WITHHELD)

    cleo.port.empty_seat(1)
    house.settle()

    assert cleo.session.last(messages.Refusal).code == "table/host_only"
    assert not happened(house, room_id_of(ada), events.SeatEmptied)


@pytest.mark.parametrize("seat", [0, 1, 2, 7])
def test_no_other_seat_is_emptied(house: House, seat: int) -> None:
    ada, *_ = withheld(house, MAX_WITHHELD - 1)

    ada.port.empty_seat(seat)
    house.settle()

    assert ada.session.last(messages.Refusal).code in {
        "start/not_withheld",
        "table/host_only",
        "table/no_such_seat",
    }
    assert len(room_of(house, ada).seats) == 3


def test_who_was_put_out_while_away_is_told_when_they_come_back(house: House) -> None:
    ada, ben, _ = withheld(house, MAX_WITHHELD)
    hear = ben.session.hear
    ben.disconnect()
    ada.port.empty_seat(1)
    house.settle()

    ben.session.hear = hear
    ben.model.status = Online("", "", "")
    house.lobby.sessions.connected(ben.session)
    ben.port.entry.catch_up()
    house.settle()

    assert ben.model.view is None
    assert "no seat at such a table" in ben.model.bar.text


def test_who_was_put_out_can_come_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.lobby.views.chunks.MAX_RECORDS_BYTES", 1)
    ada, ben, _ = withheld(house, MAX_WITHHELD)
    code = ada.session.last(messages.TableOpened).code
    ada.port.empty_seat(1)
    house.settle()

    house.join(ben, code)

    assert room_of(house, ada).seats[1].withheld == 0
    assert ben.model.view is not None


def test_who_had_opened_their_share_is_warned(house: House) -> None:
    ada, ben, cleo = seat_all(house, ["Ada", "Ben", "Cleo"])
    get_ready(house, [ada, ben, cleo])
    told = []
    ada.model.on_change.append(lambda: told.append(ada.model.bar.text))

    for times in (1, 2):
        told.clear()
        fail_to_start(house, [ada, ben, cleo], ben, binds=True)
        warned = [text for text in told if "your share of chance was sent" in text]
        assert warned
        assert f"{times} time" in warned[-1]
        assert "was sent" not in ben.model.bar.text


def test_who_had_only_bound_their_share_is_not_warned(house: House) -> None:
    """Nobody has seen a share that is only bound."""
    ada, ben, cleo = seat_all(house, ["Ada", "Ben", "Cleo"])
    get_ready(house, [ada, ben, cleo])
    told = []
    ada.model.on_change.append(lambda: told.append(ada.model.bar.text))

    fail_to_start(house, [ada, ben, cleo], ben, binds=False)

    assert not any("was sent" in text for text in told)


def test_a_start_that_goes_well_warns_nobody(house: House) -> None:
    ada, ben, cleo = withheld(house, 1, binds=True)
    for one in (ada, ben, cleo):
        one.model.tell("")

    ada.port.start()
    house.settle()

    assert room_of(house, ada).stage is Stage.PLAYING
    assert all("was sent" not in one.model.bar.text for one in (ada, ben, cleo))
