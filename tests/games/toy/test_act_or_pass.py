"""Questions that seats answer or pass, through the lobby: display and time limits."""

import attrs
import pytest

from client.journal.journal import Journal
from client.plain.client import PlainClient
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol.common.asks import Choice
from protocol.common.table import OpenAsk, RoomTable, Settings
from tests.games.toy.house import ToyHouse
from tests.kit.servers.house import Client
from tests.kit.servers.tables import happened, room_id_of, room_of, start_all
from tests.kit.tables.toy_table import MOTION_SECONDS, Content, Scored, WeatherSet, a_deck

pytestmark = pytest.mark.issue(11)


@attrs.define(eq=False)
class Table:
    """Table of Ann, whose card asks something, and Ben."""

    house: ToyHouse
    ann: Client
    ben: Client

    @property
    def room(self) -> RoomTable:
        return room_of(self.house, self.ann)

    @property
    def ask(self) -> OpenAsk:
        assert self.room.ask is not None
        return self.room.ask

    def choices(self, client: Client) -> tuple[Choice, ...]:
        view = client.model.view
        question = view.my_question() if view is not None else None
        return question.choices if question is not None else ()

    def answer(self, client: Client, word: str) -> None:
        """Pick the choice with this subject or parameter."""
        (pick,) = [
            choice.choice_id
            for choice in self.choices(client)
            if word in (choice.text.subject, *choice.text.params)
        ]
        client.port.answer(self.ask.ask_id, (pick,))
        self.house.settle(0.2)


def at_card(kind: str) -> Table:
    """Return a table at which Ann has just turned up a card of this kind."""
    house = ToyHouse(on_shelf=Content(deck=a_deck(kind)))
    ann, ben = start_all(house, ["Ann", "Ben"], Settings(spectators=True))
    table = Table(house, ann, ben)
    table.answer(ann, "toy/go")
    turn_up(table, ann)
    return table


def turn_up(table: Table, client: Client) -> None:
    """Have the player whose turn it is turn up a card."""
    table.answer(client, "peek")
    card = table.choices(client)[0].choice_id
    client.port.answer(table.ask.ask_id, (card,))
    table.house.settle(0.2)


def test_the_first_who_acts_settles_it_for_all() -> None:
    table = at_card("ambush")

    table.answer(table.ben, "toy/strike")

    assert happened(table.house, room_id_of(table.ann), Scored)[-1] == Scored("fox", 5)
    assert table.ask.rule == "TOY-2"


def test_who_has_passed_waits_for_the_others() -> None:
    """The screen and plain mode tell Ann that she waits for Ben."""
    table = at_card("ambush")
    journal = Journal(lambda: table.ann.model.speaker)
    table.ann.model.followers.append(journal)
    printed: list[str] = []
    lines = PlainClient(table.ann.model, table.ann.port, printed.append)
    lines.update()
    ui = Ui(Desk(table.ann.model, table.ann.port, journal))
    assert "Let it be" in ui.draw(24, 80).plain()

    table.answer(table.ann, "toy/pass")

    assert table.choices(table.ann) == ()
    assert table.ask.waiting_for == (1,)
    assert printed[-1].startswith("Waiting for Ben")
    assert "Ben" in ui.draw(24, 80).plain()


def test_nothing_is_done_where_all_pass() -> None:
    table = at_card("ambush")

    table.answer(table.ben, "toy/pass")
    table.answer(table.ann, "toy/pass")

    assert not happened(table.house, room_id_of(table.ann), Scored)
    assert table.ask.rule == "TOY-2"


def test_a_motion_stands_when_its_time_is_over() -> None:
    """The server's clock ends the motion, to which nobody has objected."""
    table = at_card("motion")

    table.house.settle(MOTION_SECONDS - 5)
    assert table.ask.rule == "TOY-11"
    table.house.settle(10)

    assert happened(table.house, room_id_of(table.ann), WeatherSet)[-1] == WeatherSet("sun")


def test_the_time_of_a_motion_stands_still_while_a_voter_is_away() -> None:
    table = at_card("motion")
    room_id = room_id_of(table.ann)
    table.ben.disconnect()

    table.house.settle(3 * MOTION_SECONDS)
    assert table.ask.rule == "TOY-11"
    table.ben.session.hear = lambda message: table.house.clock.callLater(
        0, lambda: table.ben.port.received(message)
    )
    table.ben.connect()
    table.ben.port.enter(room_id)
    table.house.settle(MOTION_SECONDS + 2)

    assert table.ask.rule == "TOY-2"


def test_who_passes_for_good_is_not_waited_for_again() -> None:
    """A standing pass is typed once and applies from the next question on."""
    table = at_card("ambush")
    printed: list[str] = []
    lines = PlainClient(table.ben.model, table.ben.port, printed.append)
    lines.update()

    lines.hear("always")
    table.house.settle(0.2)
    for client in (table.ann, table.ben):
        table.answer(client, "toy/pass")
    turn_up(table, table.ben)

    assert any("ambushes" in line for line in printed)
    assert (table.ask.rule, table.ask.waiting_for) == ("TOY-10", (0,))
