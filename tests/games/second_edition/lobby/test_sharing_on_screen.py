"""Finished games found, opened and shown to others by a player, on the screen and in lines."""

import pytest

from client.journal.journal import Journal
from client.locale import load as locale_of
from client.plain.client import PlainClient
from client.plain.talk import Environment
from client.screens.replay import ReplayScreen
from client.screens.screen import Desk
from client.screens.ui import Ui
from tests.games.second_edition.lobby.test_campaigns import Saga
from tests.games.second_edition.lobby.test_sharing import agree, found, played, shared
from tests.lobby.house import Client, House
from tests.lobby.tables import room_id_of

pytestmark = pytest.mark.issue(17)


@pytest.fixture
def house() -> House:
    """Return a house with a scenario that is over as soon as it begins."""
    return Saga()


def screen_of(house: House, client: Client) -> Ui:
    """Return the full screen of somebody."""
    model = client.model
    model.locale = locale_of("en")
    ui = Ui(Desk(model, client.port, Journal(lambda: model.speaker)))
    client.port.list_tables()
    house.settle()
    return ui


def pressed(house: House, ui: Ui, *keys: str) -> str:
    """Press keys, each once what the one before asked for is there; return what is drawn."""
    for key in keys:
        ui.press(key)
        house.settle()
    return ui.draw(30, 110).plain()


def test_a_game_that_others_show_is_found_and_looked_back_on(house: House) -> None:
    """With everything open."""
    shared(house, ["Ann", "Ben"])
    ui = screen_of(house, house.client("Eve"))

    listed = pressed(house, ui, "f")
    assert "Ann, Ben" in listed
    assert "[open to everybody here]" in listed
    pressed(house, ui, "enter", "enter")

    screen = ui.base()
    assert isinstance(screen, ReplayScreen)
    assert len(screen.replay.points) > 1


def test_a_player_agrees_and_takes_it_back(house: House) -> None:
    """Where the game stands in their list."""
    ann, ben = played(house, ["Ann", "Ben"])
    agree(house, ben, room_id_of(ann))
    ann.port.leave_table()
    house.settle()
    ui, eve = screen_of(house, ann), house.client("Eve")

    assert "[agreed: Ben]" in pressed(house, ui, "f")
    said = pressed(house, ui, "enter", "down", "enter")
    assert "You have agreed." in said
    assert found(house, eve).lines
    pressed(house, ui, "f", "enter", "down", "enter")
    assert not found(house, eve).lines


def test_all_of_it_is_typed_in_lines(house: House) -> None:
    """The list, a scenario's games, agreeing, and looking back."""
    ann, ben = played(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    agree(house, ben, room_id)
    ann.port.leave_table()
    house.settle()
    printed: list[str] = []
    around = Environment(lambda _name, _text: None, house.clock.seconds, lambda: None)
    plain = PlainClient(ann.model, ann.port, printed.append, None, around)
    ann.port.list_tables()
    house.settle()

    def typed(line: str) -> str:
        printed.clear()
        plain.hear(line)
        house.settle()
        plain.look()
        return "\n".join(printed)

    assert "[agreed: Ben]" in typed("games")
    assert "You have agreed." in typed("games agree 1")
    assert "[open to everybody here]" in typed("games")
    assert "no more games" in typed("games more").lower()
    assert "event" in typed("games 1")
    typed("leave")
    typed("games withdraw 1")
    assert not found(house, house.client("Eve")).lines
    assert "1." not in typed("games zzz")
