"""Giving up: a game ends where all who play it agree, and its log says so."""

import pytest

from protocol import messages
from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import Stage
from tests.kit.servers.house import House
from tests.kit.servers.tables import happened, room_id_of, room_of, start_all
from tests.kit.tables.resuming import resume

pytestmark = pytest.mark.issue(14)


def test_a_game_that_all_give_up_is_over() -> None:
    house = House()
    ada, ben = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)

    ada.port.propose_give_up()
    house.settle()
    proposal = room_of(house, ada).proposal
    assert proposal is not None
    assert room_of(house, ada).stage is Stage.PLAYING
    ben.port.consent(proposal.proposal_id, is_agreed=True)
    house.settle()

    (closed,) = happened(house, room_id, events.RoomClosed)
    assert closed.how is events.HowClosed.GIVEN_UP
    assert closed.seeds
    assert (room_of(house, ada).stage, room_of(house, ada).ask) == (Stage.OVER, None)
    room = house.lobby.registry.hosts[room_id].room
    shelf = house.lobby.registry.services.shelf
    again = resume(room_id, house.log_of(room_id), shelf, house.entropy, from_start=True)
    assert again.table == room.table
    ada.send(messages.ExportTable(9999, room_id))
    house.settle()
    report = audit(load(b"".join(part.data for part in ada.session.all(messages.ExportPart))))
    assert report.is_whole
    assert report.is_finished


def test_who_refuses_to_give_up_plays_on() -> None:
    house = House()
    ada, ben = start_all(house, ["Ada", "Ben"])
    ada.port.propose_give_up()
    house.settle()
    proposal = room_of(house, ada).proposal
    assert proposal is not None

    ben.port.consent(proposal.proposal_id, is_agreed=False)
    house.settle()

    assert room_of(house, ada).proposal is None
    assert room_of(house, ada).ask is not None
    assert happened(house, room_id_of(ada), events.RoomClosed) == []


def test_a_game_is_given_up_with_those_who_are_away() -> None:
    """Nobody may end a game behind an absent player's back."""
    house = House()
    ada, ben = start_all(house, ["Ada", "Ben"])
    ben.disconnect()
    house.settle()

    ada.port.propose_give_up()
    house.settle()

    assert room_of(house, ada).stage is Stage.PLAYING
