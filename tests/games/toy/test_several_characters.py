"""A roster with a choice: seats play one to three characters each, as they like."""

import random

import pytest

from client.journal.journal import Journal
from client.plain.client import PlainClient
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol import messages
from protocol.common.events import GameStarted
from protocol.common.roster import Role
from protocol.common.table import Stage
from tests.games.every import Person
from tests.games.toy.house import ToyHouse
from tests.kit.servers.house import Client
from tests.kit.servers.tables import happened, room_id_of, room_of, seat_all
from tests.kit.tables.toy_table import Content, OmenDealt, ToyTable

pytestmark = pytest.mark.issue(39)

CHOICE = Content(rounds=1, most_each=(4, 3, 2, 1))


class Waiting:
    """Waiting room of Ann on the full screen and of the last player in plain mode."""

    def __init__(self, content: Content = CHOICE, names: tuple[str, ...] = ("Ann", "Ben")) -> None:
        self.house = ToyHouse(on_shelf=content)
        self.clients = seat_all(self.house, names)
        self.ann = self.clients[0]
        self.ui = Ui(Desk(self.ann.model, self.ann.port, Journal(lambda: self.ann.model.speaker)))
        self.printed: list[str] = []
        last = self.clients[-1]
        self.plain = PlainClient(last.model, last.port, self.printed.append)
        self.plain.update()

    def press(self, *keys: str) -> str:
        """Press Ann's keys; return what her screen shows without line breaks."""
        for key in keys:
            self.ui.draw(24, 80)
            self.ui.press(key)
            self.house.settle()
        return " ".join(self.ui.draw(24, 80).plain().split())

    def hear(self, line: str) -> str:
        """Have the last player type a line; return what is printed."""
        before = len(self.printed)
        self.plain.hear(line)
        self.house.settle()
        return "\n".join(self.printed[before:])

    def characters(self, seat: int) -> tuple[str, ...]:
        return room_of(self.house, self.ann).seats[seat].characters

    def play(self) -> None:
        """Answer at random until the game is over."""
        people = [
            Person(client.model, client.port, random.Random(at))
            for at, client in enumerate(self.clients)
        ]
        for _ in range(80):
            for person in people:
                person.act()
                self.house.settle(0.1)


def code_of(client: Client) -> str:
    return client.session.last(messages.Refusal).code


@pytest.mark.parametrize(
    ("most_each", "most"), [((), (2, 1, 0)), ((4, 3), (4, 3, 0)), ((1, 1, 1), (2, 1, 1))]
)
def test_a_role_counts_its_characters(most_each: tuple[int, ...], most: tuple[int, ...]) -> None:
    """The most is never less than what each has to play, and that alone where nothing is listed."""
    role = Role("player", 1, 2, ("bear",), (2, 1), most_each=most_each)

    assert tuple(map(role.most_for, (1, 2, 3))) == most


def test_a_seat_of_two_characters_and_a_seat_of_one_play_to_the_end() -> None:
    table = Waiting()

    assert "Choose 1 to 3 characters" in table.press()
    said = table.press("enter")
    assert "You may play 1 to 3 characters" in said
    table.press("down", " ")
    assert table.characters(0) == ("bear", "hare")
    assert "1 to 3 characters" in table.hear("lobby")
    said = table.hear("claim 2")
    assert table.characters(1) == ("fox",)
    table.press("enter")
    said = table.hear("ready")
    table.press("s")

    room = room_of(table.house, table.ann)
    assert room.stage is Stage.PLAYING
    (started,) = happened(table.house, room_id_of(table.ann), GameStarted)
    assert [player.characters for player in started.players] == [("bear", "hare"), ("fox",)]
    table.play()
    game = table.house.host_of(table.ann).room.table.game
    assert room_of(table.house, table.ann).stage is Stage.OVER
    assert isinstance(game, ToyTable)
    assert {piece: one.seat for piece, one in game.people.items()} == {
        "bear": 0,
        "hare": 0,
        "fox": 1,
    }


def test_the_secrets_of_both_characters_are_those_of_the_seat() -> None:
    table = Waiting()
    table.ann.port.claim(("bear", "hare"))
    table.house.settle()
    table.hear("claim 2")
    for client in table.clients:
        client.port.set_ready(is_ready=True)
        table.house.settle()
    table.ann.port.start()
    table.house.settle()

    for seat, client in enumerate(table.clients):
        view = client.model.view
        assert view is not None
        dealt = [one.event for one in view.records if isinstance(one.event, OmenDealt)]
        opened = {one.piece: one.omen.is_open for one in dealt}
        assert opened == {"bear": seat == 0, "hare": seat == 0, "fox": seat == 1}


def test_several_are_claimed_with_one_line_in_plain_mode() -> None:
    table = Waiting()

    assert "claim 1 2" in table.hear("lobby")
    said = table.hear("claim 1 2 3")
    assert table.characters(1) == ("bear", "fox", "hare")
    assert "You may play up to" not in said
    table.hear("claim 2")
    assert table.characters(1) == ("fox",)
    assert "You may play up to 3 characters" in table.hear("lobby")


def test_nobody_claims_more_than_may_be_played_nor_starts_with_more() -> None:
    """With a third player, at most two each: who claimed three has to put one back."""
    table = Waiting()
    table.ann.port.claim(("bear", "fox", "hare", "mole"))
    table.house.settle()
    assert code_of(table.ann) == "table/too_many_pieces"
    table.ann.port.claim(("bear", "fox", "hare"))
    table.house.settle()
    assert len(table.characters(0)) == 3
    kim = table.house.client("Kim")
    table.house.join(kim, table.ann.session.last(messages.TableOpened).code)

    assert "fewer characters each" in table.press()
    kim.port.claim(("mole",))
    table.hear("claim 5")
    for client in (*table.clients, kim):
        client.port.set_ready(is_ready=True)
        table.house.settle()
    table.ann.port.start()
    table.house.settle()

    assert code_of(table.ann) == "table/choose_first"
    table.ann.port.claim(("bear", "fox"))
    table.house.settle()
    table.ann.port.set_ready(is_ready=True)
    table.house.settle()
    table.ann.port.start()
    table.house.settle()
    assert room_of(table.house, table.ann).stage is Stage.PLAYING


def test_a_bot_plays_the_fewest() -> None:
    table = Waiting(names=("Ann",))
    table.ann.port.claim(("bear", "hare", "owl"))
    table.house.settle()

    table.ann.port.add_bot()
    table.house.settle(3)

    assert room_of(table.house, table.ann).seats[1].is_ready
    assert len(table.characters(1)) == 1
