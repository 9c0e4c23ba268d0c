"""A halted game goes back although somebody is away: by those present, or by the operator."""

import pytest

from protocol import messages
from protocol.common import events
from protocol.event import OPERATOR
from server.admin.vocabulary import AgreeToGoBack
from server.kernel.errors import Diverged, Refused
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import happened, records_of, room_id_of, room_of, start_all
from tests.lobby.test_operator import act

pytestmark = pytest.mark.issue(15)

DAY = 24 * 3600


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def left_alone(house: House, *, is_proposed: bool = True) -> Client:
    """Return the present player of a game of two that an update has halted."""
    ada, ben = start_all(house, ["Ada", "Ben"])
    ben.disconnect()
    house.settle()
    room = house.host_of(ada).room
    room.halted = Diverged(0, "an update")
    if is_proposed:
        ada.port.propose_take_back(max(room.table.checkpoints))
        house.settle()
    return ada


def agree(house: House, ada: Client) -> None:
    """Agree to the open proposal on behalf of absent seats."""
    proposal = room_of(house, ada).proposal
    assert proposal is not None
    ada.port.agree_for_absent(proposal.proposal_id)
    house.settle()


def test_who_is_here_agrees_after_a_day(house: House) -> None:
    ada = left_alone(house)
    agree(house, ada)
    assert ada.session.last(messages.Refusal).code == "proposal/too_early"
    assert not happened(house, room_id_of(ada), events.TakenBack)

    house.clock.advance(DAY)
    agree(house, ada)

    assert happened(house, room_id_of(ada), events.AgreedForAbsent) == [
        events.AgreedForAbsent(0, (1,))
    ]
    assert len(happened(house, room_id_of(ada), events.TakenBack)) == 1
    assert house.host_of(ada).room.halted is None


def test_the_operator_agrees_at_once(house: House) -> None:
    ada = left_alone(house)

    assert act(house, AgreeToGoBack(room_id_of(ada))) == 1

    assert house.host_of(ada).room.halted is None
    (one,) = (
        one
        for one in records_of(house, room_id_of(ada))
        if isinstance(one.event, events.AgreedForAbsent)
    )
    assert one.origin == OPERATOR
    assert ada.model.view is not None
    assert ada.model.view.table.room.proposal is None


def test_the_operator_proposes_nothing(house: House) -> None:
    """The players alone say where a game goes back to."""
    ada = left_alone(house, is_proposed=False)

    with pytest.raises(Refused, match="proposal/stale"):
        act(house, AgreeToGoBack(room_id_of(ada)))


def test_what_was_said_of_a_halted_game_goes_when_it_is_mended(house: House) -> None:
    ada = left_alone(house)
    ben = house.client("Ben")
    ben.port.enter(room_id_of(ada))
    house.settle()
    assert ben.model.bar.text == ben.model.locale.say("error.table/halted")
    assert ben.model.is_halted
    proposal = room_of(house, ada).proposal
    assert proposal is not None

    ben.port.consent(proposal.proposal_id, is_agreed=True)
    house.settle()

    assert house.host_of(ada).room.halted is None
    assert ben.model.bar.text == ""
    assert not ben.model.is_halted


def test_a_refusal_in_a_halted_game_is_no_longer_shown_once_it_is_mended(house: House) -> None:
    ada = left_alone(house)
    view = ada.model.view
    assert view is not None
    question = view.my_question()
    assert view.ask is not None
    assert question is not None
    ada.port.answer(view.ask.ask_id, question.default)
    house.settle()
    assert ada.session.last(messages.Refusal).code == "table/halted"
    assert ada.model.bar.text == ada.model.locale.say("error.table/halted")

    act(house, AgreeToGoBack(room_id_of(ada)))

    assert house.host_of(ada).room.halted is None
    assert ada.model.bar.text == ""
