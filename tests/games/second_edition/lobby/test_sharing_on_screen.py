"""Finding, opening and showing finished games, on the screen and in plain mode."""

from collections.abc import Callable

import pytest

from client.journal.journal import Journal, all_lines
from client.locale import load as locale_of
from client.plain.client import PlainClient
from client.plain.talk import Environment
from client.screens.base.screen import CannotDo, Desk
from client.screens.review.replay import ReplayScreen
from client.screens.ui import Ui
from protocol import messages
from tests.games.second_edition.lobby.test_campaigns import ALONE, Saga
from tests.games.second_edition.lobby.test_sharing import agree, found, played, shared
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, room_id_of, room_of, seat_all

pytestmark = pytest.mark.issue(17)


@pytest.fixture
def house() -> House:
    return Saga()


def screen_of(house: House, client: Client) -> Ui:
    model = client.model
    model.locale = locale_of("en")
    ui = Ui(Desk(model, client.port, Journal(lambda: model.speaker)))
    client.port.list_tables()
    house.settle()
    return ui


def pressed(house: House, ui: Ui, *keys: str) -> str:
    """Press keys, letting the server reply after each; return the last screen."""
    for key in keys:
        ui.press(key)
        house.settle()
    return ui.draw(30, 110).plain()


def in_lines(house: House, client: Client) -> Callable[[str], str]:
    """Return a function that types a line in plain mode and returns what is printed."""
    printed: list[str] = []
    environment = Environment(lambda _name, _text: None, house.clock.seconds, lambda: None)
    plain = PlainClient(client.model, client.port, printed.append, None, environment)
    client.port.list_tables()
    house.settle()

    def typed(line: str) -> str:
        printed.clear()
        plain.hear(line)
        house.settle()
        plain.update()
        return "\n".join(printed)

    return typed


def test_a_game_that_others_show_is_found_and_looked_back_on(house: House) -> None:
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
    ann, ben = played(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    agree(house, ben, room_id)
    ann.port.leave_table()
    house.settle()
    typed = in_lines(house, ann)

    assert "[agreed: Ben]" in typed("games")
    assert "You have agreed." in typed("games agree 1")
    assert "[open to everybody here]" in typed("games")
    assert "no more games" in typed("games more").lower()
    assert "event" in typed("games 1")
    typed("leave")
    typed("games withdraw 1")
    assert not found(house, house.client("Eve")).lines
    assert "1." not in typed("games zzz")


# Setups ------------------------------------------------------------------------------------


def setup_of(house: House, owner: Client) -> str:
    owner.send(messages.MakeSetup(owner.next_serial()))
    house.settle(0.2)
    return owner.session.last(messages.SetupMade).code


def with_setup(house: House, names: list[str], code: str) -> list[Client]:
    """Return people at a table with a setup, each with a piece."""
    clients = seat_all(house, names)
    clients[0].port.choose_scenario(ALONE)
    clients[0].port.fix_setup(code)
    house.settle()
    assert clients[0].model.lobby.scenarios is not None
    pieces = clients[0].model.lobby.scenarios[0].roster.characters
    for client, piece in zip(clients, pieces, strict=False):
        client.port.claim((piece,))
        house.settle()
    return clients


def played_setup(house: House, names: list[str], code: str) -> list[Client]:
    """Return people whose game with a setup is over."""
    clients = with_setup(house, names, code)
    for client in clients:
        client.port.set_ready(True)
        house.settle()
    clients[0].port.start()
    house.settle()
    return clients


def closed_setup(house: House, owner: Client, code: str) -> None:
    owner.send(messages.CloseSetup(owner.next_serial(), code))
    house.settle()


def test_whoever_knows_a_setup_is_told_and_says_it_again(house: House) -> None:
    """The first attempt to be ready only warns; the second tells the table that Ann knows it."""
    code = setup_of(house, house.client("Owner"))
    played_setup(house, ["Ann", "Ben"], code)
    ann, _ = with_setup(house, ["Ann", "Cid"], code)
    ui = screen_of(house, ann)

    said = pressed(house, ui, "r")
    assert "You know this setup" in ann.model.bar.text
    assert "[ ] Ann" in said
    said = pressed(house, ui, "r")

    assert "[x] Ann (you, host, knows this setup)" in said


def test_it_is_said_again_in_lines(house: House) -> None:
    code = setup_of(house, house.client("Owner"))
    played_setup(house, ["Ann", "Ben"], code)
    ann, cid = with_setup(house, ["Ann", "Cid"], code)
    plain = in_lines(house, ann)

    assert "You know this setup" in plain("ready")
    assert not room_of(house, cid).seats[0].is_ready
    plain("ready")

    assert room_of(house, cid).seats[0].is_ready
    assert "knows this setup" in plain("lobby")


def seat_of_known_game(house: House, name: str) -> tuple[Client, str]:
    """Return the host of a game whose setup a player knows, and an invitation to a seat."""
    code = setup_of(house, house.client("Owner"))
    played_setup(house, [name, "Other"], code)
    host, gone = seat_all(house, ["Host", "Gone"])
    host.port.fix_setup(code)
    get_ready(house, [host, gone])
    host.port.start()
    house.settle()
    gone.disconnect()
    host.port.propose_give_seat(1, to_bot=False)
    house.settle()
    return host, host.session.last(messages.InvitationMade).code


def test_a_game_that_goes_on_is_joined_on_the_screen_once_one_says_yes(house: House) -> None:
    host, code = seat_of_known_game(house, "Ann")
    ann = house.client("Ann")
    ui = screen_of(house, ann)

    for answer in ("n", "escape"):
        pressed(house, ui, "i")
        ui.enter(code)
        house.settle()
        asked = " ".join(ui.draw(30, 110).plain().split())
        assert "Play it all the same? Everybody at the table will read" in asked
        assert "Join again" not in asked
        pressed(house, ui, answer)
        assert not ui.desk.boxes
        assert not room_of(house, host).seats[1].key
    pressed(house, ui, "i")
    ui.enter(code)
    house.settle()
    pressed(house, ui, "y")

    assert room_of(house, host).seats[1].knows_setup
    assert ann.model.view is not None
    assert ann.model.view.seat == 1


def test_it_is_joined_in_lines_by_joining_again(house: House) -> None:
    host, code = seat_of_known_game(house, "Ann")
    ann = house.client("Ann")
    plain = in_lines(house, ann)

    assert "Join again if you want to play it all the same" in plain(f"join {code}")
    assert plain("join 0000-0000-0000-0000")
    assert "invitation" in plain("join").lower()
    assert not room_of(house, host).seats[1].key
    assert "Join again" in plain(f"join {code}")
    plain("join")

    assert room_of(house, host).seats[1].knows_setup
    host.model.locale = locale_of("en")
    assert host.model.view is not None
    said = [line.text for line in all_lines(host.model.view.records, host.model.speaker)]
    assert "Ann knows this setup, and wants to play it all the same." in said


def test_the_same_code_again_joins_too(house: House) -> None:
    host, code = seat_of_known_game(house, "Ann")
    ann = house.client("Ann")
    plain = in_lines(house, ann)

    plain(f"join {code}")
    plain(f"join {code}")

    assert room_of(house, host).seats[1].knows_setup
    assert ann.model.pending.code == ""


def test_a_bot_of_a_player_plays_what_its_key_has_met(house: House) -> None:
    """The bot says by itself that it knows the setup; otherwise it would wait for ever."""
    code = setup_of(house, house.client("Owner"))
    played_setup(house, ["Ann", "Ben"], code)
    ann, _ = with_setup(house, ["Ann", "Cid"], code)

    house.bot(ann)
    house.settle(5)

    seat = room_of(house, ann).seats[0]
    assert (seat.is_ready, seat.knows_setup) == (True, True)


def test_results_are_compared_on_the_screen(house: House) -> None:
    """Both results are listed, but a game whose players do not show it cannot be opened."""
    owner = house.client("Owner")
    code = setup_of(house, owner)
    ann, _ = played_setup(house, ["Ann", "Ben"], code)
    played_setup(house, ["Cid", "Dot"], code)
    closed_setup(house, owner, code)
    ann.port.leave_table()
    house.settle()
    ui = screen_of(house, ann)

    pressed(house, ui, "f", "up", "enter")
    ui.enter(code)
    house.settle()
    listed = ui.draw(30, 110).plain()

    assert "Ann, Ben (you); won" in listed
    assert "Cid, Dot; won" in listed
    with pytest.raises(CannotDo, match=r"results\.not_shown"):
        ui.desk.boxes[-1].items[1].run()  # type: ignore[attr-defined]
    pressed(house, ui, "enter")
    assert isinstance(ui.base(), ReplayScreen)


def test_results_are_compared_in_lines(house: House) -> None:
    owner = house.client("Owner")
    code = setup_of(house, owner)
    ann, _ = played_setup(house, ["Ann", "Ben"], code)
    played_setup(house, ["Cid", "Dot"], code)
    ann.port.leave_table()
    house.settle()
    plain = in_lines(house, ann)

    assert "not closed yet" in plain(f"results {code}")
    closed_setup(house, owner, code)
    assert "2. " in plain(f"results {code}")
    assert "do not show" in plain("results 2")
    assert "event" in plain("results 1")
