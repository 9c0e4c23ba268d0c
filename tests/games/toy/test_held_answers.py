"""A client sends a held answer with its picks, and says whether it is done."""

import random

import pytest

from client.bots.bot import BotPlayer
from client.model.off_log import Stops
from protocol import messages
from protocol.common.table import Settings
from protocol.messages import ClientMessage
from server.lobby.rooms.host import RETRY_SECONDS
from server.storage import StoreFull
from tests.games.toy.house import ToyHouse
from tests.games.toy.test_act_or_pass import Table, turn_up
from tests.kit.servers.house import Client
from tests.kit.servers.tables import start_all
from tests.kit.tables.toy_table import Content, a_deck

pytestmark = pytest.mark.issue(39)

Sent = list[messages.AnswerInWindow]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Return the answers that clients send to be held, from now on."""
    answers: Sent = []
    send = Client.send

    def noted(client: Client, message: ClientMessage) -> None:
        if isinstance(message, messages.AnswerInWindow):
            answers.append(message)
        send(client, message)

    monkeypatch.setattr(Client, "send", noted)
    return answers


def in_window(*, stops: bool) -> Table:
    """Return a table at whose window Ben stops the game."""
    house = ToyHouse(on_shelf=Content(deck=a_deck("flash")))
    ann, ben = start_all(house, ["Ann", "Ben"], Settings(stops=stops))
    if stops:
        ben.port.set_stops(Stops((), is_everywhere=True))
    table = Table(house, ann, ben)
    table.answer(ann, "toy/go")
    turn_up(table, ann)
    return table


@pytest.mark.parametrize("stops", [True, False])
def test_an_answer_says_that_it_is_done_where_windows_wait_for_stops(
    sent: Sent, stops: bool
) -> None:
    table = in_window(stops=stops)
    pick = table.choices(table.ben)[0].choice_id

    table.ben.port.answer(table.ask.ask_id, (pick,))
    table.house.settle(0.2)

    assert [(one.picks, one.is_done) for one in sent] == [((pick,), stops)]
    assert table.ben.model.held_picks == (pick,)


def test_an_answer_is_sent_again_as_it_was(sent: Sent) -> None:
    """The server may have lost it with its process."""
    table = in_window(stops=True)
    pick = table.choices(table.ben)[0].choice_id
    table.ben.port.answer(table.ask.ask_id, (pick,))
    room_id = table.room.room_id
    table.house.settle(0.2)

    table.ben.port.enter(room_id)
    table.house.settle(0.2)

    first, again = sent
    assert (again.picks, again.is_done) == (first.picks, True)


def test_an_answer_that_a_stopped_table_refuses_is_sent_again_when_it_goes_on(sent: Sent) -> None:
    table = in_window(stops=True)
    pick = table.choices(table.ben)[0].choice_id
    table.house.store.fail_with = StoreFull("no space is left")
    table.ann.port.chat("is this on?")
    table.house.settle(0.2)

    table.ben.port.answer(table.ask.ask_id, (pick,))
    table.house.settle(0.2)
    table.house.store.fail_with = None
    table.house.settle(RETRY_SECONDS)

    refused, again = sent
    assert (again.picks, again.is_done) == (refused.picks, True)
    assert table.ben.model.held_picks == (pick,)


def test_an_answer_that_is_refused_is_not_shown_as_held(sent: Sent) -> None:
    """A bot could else never answer the question."""
    table = in_window(stops=False)

    table.ben.port.answer(table.ask.ask_id, ("9.9",))
    table.house.settle(0.2)

    assert len(sent) == 1
    assert table.ben.model.held_picks is None


def test_a_bot_is_done_with_its_answer(sent: Sent) -> None:
    table = in_window(stops=True)

    BotPlayer(table.ben.port, table.ben.model, rng=random.Random(1)).react()
    table.house.settle(0.5)

    [answer] = sent
    assert answer.is_done


def test_several_picks_are_held_together(sent: Sent) -> None:
    """Whether the rule lets a seat take several is for the server to say."""
    table = in_window(stops=False)
    picks = tuple(choice.choice_id for choice in table.choices(table.ben))
    assert len(picks) > 1

    table.ben.port.answer(table.ask.ask_id, picks)
    table.house.settle(0.2)

    assert [one.picks for one in sent] == [picks]


@pytest.mark.parametrize("stops", [True, False])
def test_a_window_closes_once_all_clients_have_answered_where_the_table_has_stops(
    stops: bool,
) -> None:
    table = in_window(stops=stops)
    ask_id = table.ask.ask_id
    asked = [one for one in (table.ann, table.ben) if table.choices(one)]
    assert asked

    for client in asked:
        client.port.answer(ask_id, (table.choices(client)[0].choice_id,))
    table.house.settle(0.5)

    assert (table.ask.ask_id != ask_id) == stops
