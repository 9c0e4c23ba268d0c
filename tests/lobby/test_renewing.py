"""The host invalidates invitations that came into the wrong hands."""

import pytest

from protocol import messages
from protocol.common.table import Settings
from protocol.messages import InvitationMade
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, room_of, seat_all, start_all

pytestmark = pytest.mark.issue(15)


def made(client: Client) -> list[InvitationMade]:
    """Return the invitations that a client was sent."""
    return client.session.all(messages.InvitationMade)


def test_an_old_invitation_opens_nothing_and_the_new_one_does() -> None:
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"])
    old = ada.session.last(messages.TableOpened).code

    ada.port.renew_invitations()
    house.settle()

    eve, cleo = house.client("Eve"), house.client("Cleo")
    eve.port.join(old)
    house.settle()
    assert eve.session.last(messages.Refusal).code == "invitation/unknown"
    (new,) = made(ada)
    cleo.port.join(new.code)
    house.settle()
    assert {seat.name for seat in room_of(house, ada).seats.values()} == {"Ada", "Ben", "Cleo"}
    assert ben.model.view is not None


def test_who_may_watch_needs_the_new_invitation_too() -> None:
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"], Settings(spectators=True))
    old = ada.session.last(messages.TableOpened).watch_code

    ada.port.renew_invitations()
    house.settle()

    wat = house.client("Wat")
    wat.port.watch(old)
    house.settle()
    assert wat.session.last(messages.Refusal).code == "invitation/unknown"
    assert [one.is_to_watch for one in made(ada)] == [False, True]
    assert made(ben) == []


def test_in_a_game_without_spectators_none_is_needed() -> None:
    house = House()
    ada, _ = start_all(house, ["Ada", "Ben"])

    ada.port.renew_invitations()
    house.settle()

    assert made(ada) == []
    assert ada.model.codes.get(room_id_of(ada), {}) == {}


def test_nobody_but_the_host_makes_invitations_worthless() -> None:
    """If guests could renew invitations, one could shut out the friends of the others."""
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"])
    code = ada.session.last(messages.TableOpened).code

    ben.port.renew_invitations()
    house.settle()

    assert ben.session.last(messages.Refusal).code == "table/host_only"
    cleo = house.client("Cleo")
    cleo.port.join(code)
    house.settle()
    assert cleo.model.view is not None


def test_everybody_who_sits_there_hears_that_their_links_are_worthless() -> None:
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"])
    ben.port.invite(is_to_watch=False)
    house.settle()
    old = made(ben)[-1].code
    assert ben.model.codes[room_id_of(ben)]

    ada.port.renew_invitations()
    house.settle()

    assert ben.session.last(messages.Notice).code == "table/invitations_renewed"
    assert not ben.model.codes.get(room_id_of(ben))
    eve = house.client("Eve")
    eve.port.join(old)
    house.settle()
    assert eve.session.last(messages.Refusal).code == "invitation/unknown"
    assert made(ada)[-1].code in ada.model.codes[room_id_of(ada)].values()


def test_the_host_is_told_in_one_sentence() -> None:
    house = House()
    (ada,) = seat_all(house, ["Ada"])
    told: list[str] = []
    ada.model.on_change.append(lambda: told.append(ada.model.bar.text))

    ada.port.renew_invitations()
    house.settle()

    say_ = ada.model.locale.say
    assert told[-1] == say_("invitation.renewed")
    assert say_("error.table/invitations_renewed") not in told


def test_an_empty_seat_gets_a_new_invitation_during_the_game() -> None:
    house = House()
    ada, ben = start_all(house, ["Ada", "Ben"])
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=False)
    house.settle()
    [old] = made(ada)

    ada.port.renew_invitations()
    house.settle()

    new = made(ada)[-1]
    assert (len(made(ada)), new.seat, new.is_to_watch) == (2, 1, False)
    eve, zoe = house.client("Eve"), house.client("Zoe")
    eve.port.join(old.code)
    zoe.port.join(new.code)
    house.settle()
    assert eve.session.last(messages.Refusal).code == "invitation/unknown"
    assert room_of(house, ada).seats[1].name == "Zoe"


def test_the_invitations_of_another_table_stay() -> None:
    house = House()
    ada, ben = house.client("Ada"), house.client("Ben")
    other = house.open_table(ada)
    house.open_table(ada)

    ada.port.renew_invitations()
    house.settle()

    house.join(ben, other)
    assert ben.model.view is not None


def test_a_guest_who_asks_keeps_what_leads_there() -> None:
    house = House()
    _, ben = seat_all(house, ["Ada", "Ben"])
    ben.port.invite(is_to_watch=False)
    house.settle()
    shown = dict(ben.model.codes)

    ben.port.renew_invitations()
    house.settle()

    assert ben.model.codes == shown
