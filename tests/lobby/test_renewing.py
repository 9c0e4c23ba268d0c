"""Invitations that came into wrong hands are made worthless by the host."""

import pytest

from protocol import messages as say
from protocol.common.table import Settings
from protocol.messages import InvitationMade
from tests.lobby.house import Client, House
from tests.lobby.tables import room_id_of, room_of, seat_all, start_all

pytestmark = pytest.mark.issue(15)


def made(client: Client) -> list[InvitationMade]:
    """Return the invitations that somebody was sent."""
    return client.session.all(say.InvitationMade)


def test_an_old_invitation_opens_nothing_and_the_new_one_does() -> None:
    """Whoever sits there stays."""
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"])
    old = ada.session.last(say.TableOpened).code

    ada.port.renew_invitations()
    house.settle()

    eve, cleo = house.client("Eve"), house.client("Cleo")
    eve.port.join(old)
    house.settle()
    assert eve.session.last(say.Refusal).code == "invitation/unknown"
    (new,) = made(ada)
    cleo.port.join(new.code)
    house.settle()
    assert {seat.name for seat in room_of(house, ada).seats.values()} == {"Ada", "Ben", "Cleo"}
    assert ben.model.view is not None


def test_who_may_watch_needs_the_new_invitation_too() -> None:
    """There is one of each kind that the table needs, for its host alone."""
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"], Settings(spectators=True))
    old = ada.session.last(say.TableOpened).watch_code

    ada.port.renew_invitations()
    house.settle()

    wat = house.client("Wat")
    wat.port.watch(old)
    house.settle()
    assert wat.session.last(say.Refusal).code == "invitation/unknown"
    assert [one.is_to_watch for one in made(ada)] == [False, True]
    assert made(ben) == []


def test_in_a_game_without_spectators_none_is_needed() -> None:
    """What was given out before it began is worthless all the same."""
    house = House()
    ada, _ = start_all(house, ["Ada", "Ben"])

    ada.port.renew_invitations()
    house.settle()

    assert made(ada) == []
    assert ada.model.codes.get(room_id_of(ada), {}) == {}


def test_nobody_but_the_host_makes_invitations_worthless() -> None:
    """Else a guest could shut out the others' friends."""
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"])
    code = ada.session.last(say.TableOpened).code

    ben.port.renew_invitations()
    house.settle()

    assert ben.session.last(say.Refusal).code == "table/host_only"
    cleo = house.client("Cleo")
    cleo.port.join(code)
    house.settle()
    assert cleo.model.view is not None
