"""Waiting room: Enter leads to the game, and every withdrawal of readiness is reported."""

import attrs
import pytest

from client.journal.journal import Journal
from client.locale import LANGUAGES
from client.model.lobby import PLAY
from client.plain.client import PlainClient
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol.common import events
from protocol.common.table import Stage
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, happened, room_id_of, room_of, seat_all

pytestmark = pytest.mark.issue(38)

SIZES = ((24, 80), (40, 120), (18, 34))


@attrs.define(eq=False)
class Screen:
    """Full screen of a client on a real server; the clock advances with each key."""

    house: House
    client: Client
    ui: Ui = attrs.field(init=False)
    journal: Journal = attrs.field(init=False)
    time: float = 0.0
    pressed: int = 0

    def __attrs_post_init__(self) -> None:
        model = self.client.model
        self.journal = Journal(lambda: model.speaker)
        self.ui = Ui(Desk(model, self.client.port, self.journal))
        self.ui.desk.now = lambda: self.time
        if model.view is not None:
            self.journal.begin(model.view)
        model.followers.append(self.journal)

    def press(self, *keys: str) -> None:
        """Press keys; draw before each and let the server answer after it."""
        for key in keys:
            self.text()
            self.ui.press(key)
            self.pressed += 1
            self.house.settle()
            self.time += 1

    def text(self, rows: int = 24, columns: int = 80) -> str:
        return " ".join(self.ui.draw(rows, columns).plain().split())

    @property
    def told(self) -> list[str]:
        return [line.text for line in self.journal.lines]


def _alone(language: str = "en") -> Screen:
    """Return the waiting room of `manse solo`."""
    house = House()
    ada = house.client("Ada", language=language)
    ada.model.launch = attrs.evolve(PLAY, is_solo=True)
    house.open_table(ada)
    return Screen(house, ada)


def _two() -> tuple[Screen, Screen]:
    house = House()
    return tuple(Screen(house, one) for one in seat_all(house, ["Ada", "Ben"]))  # type: ignore[return-value]


@pytest.mark.parametrize("language", LANGUAGES)
def test_alone_four_keys_lead_from_the_waiting_room_to_the_first_turn(language: str) -> None:
    """The four keys include those for the proposed items and the story; it once took seven."""
    screen = _alone(language)

    while screen.pressed < 10:
        asked = screen.client.model.view
        assert asked is not None
        room = asked.table.room
        if room.ask is not None and "turn" in room.ask.about.subject and not screen.ui.desk.boxes:
            break
        screen.press("enter")

    assert screen.pressed <= 4


@pytest.mark.parametrize("size", SIZES)
def test_the_way_is_said_on_the_screen(size: tuple[int, int]) -> None:
    screen = _alone()
    assert "then Enter; alone, you play two." in screen.text(*size)

    screen.press("enter")

    assert "Enter begins with Ada Whitlock and Samuel Osei" in screen.text(*size)
    screen.press("down")
    assert "Enter begins with Ada Whitlock and Colette Marchand" in screen.text(*size)


def test_the_texts_about_characters_open_at_the_one_under_the_cursor() -> None:
    screen = _alone()

    screen.press("down", "down", "i")

    box = screen.ui.draw(24, 80).plain().split("┌", 1)[1].split("\n")
    assert "] Colette Marchand" in box[1]


def test_another_second_is_chosen_by_space_and_nothing_begins() -> None:
    screen = _alone()

    screen.press("enter", " ")

    assert "Press Enter to begin." in screen.text()
    screen.press(" ")
    assert "Enter begins with" in screen.text()


def test_keys_that_come_faster_than_the_server_lose_nothing() -> None:
    screen = _alone()
    screen.text()
    for _ in range(3):
        screen.ui.press("enter")

    screen.house.settle(3)

    room = room_of(screen.house, screen.client)
    assert len(room.seats[0].characters) == 2
    assert room.stage is Stage.PLAYING
    [_] = happened(screen.house, room.room_id, events.StartRequested)


def test_enter_starts_once_everybody_is_ready() -> None:
    ada, ben = _two()
    ben.press("down", "enter")
    assert "Press Enter when you are ready." in ben.text()
    ben.press("enter", "enter")
    assert "! Waiting until everybody is ready: Ada" in ben.text()
    ada.press("enter", "enter")
    assert all(seat.is_ready for seat in room_of(ada.house, ada.client).seats.values())
    assert "Everybody is ready: press Enter to start." in ada.text()
    ben.press("enter")
    assert "! Everybody is ready: the host can start." in ben.text()

    ada.press("enter")

    assert room_of(ada.house, ada.client).stage is Stage.PLAYING


def test_enter_on_somebody_who_is_taken_says_so() -> None:
    ada, ben = _two()
    ada.press("enter")

    ben.press("up", "enter")

    assert "! Somebody else plays that character" in ben.text()


def test_space_on_somebody_else_takes_them_instead_where_each_plays_one() -> None:
    ada, ben = _two()
    ada.press("enter")
    ben.press("enter")
    first = room_of(ben.house, ben.client).seats[1].characters
    assert "Space choose instead" in ben.text()

    ben.press(" ")

    second = room_of(ben.house, ben.client).seats[1].characters
    assert len(second) == 1
    assert second != first


def test_the_cursor_stays_on_a_character_that_somebody_else_takes() -> None:
    """A key that is pressed at the same moment says that it is taken, and takes nobody else."""
    ada, ben = _two()
    ada.text()
    assert "> [ ] Ada Whitlock" in ben.text()

    ada.press("enter")

    assert "> [-] Ada Whitlock (Ada)" in ben.text()
    ben.press("enter")
    assert "! Somebody else plays that character" in ben.text()
    ben.press("down", "enter")
    assert "Press Enter when you are ready." in ben.text()


def test_on_another_character_it_is_said_who_is_played_and_what_takes_the_other() -> None:
    ada, ben = _two()
    ada.press("enter")
    ben.press("enter")

    said = " ".join(ben.text().split())

    assert "You play Samuel Osei; Space takes" in said


def test_the_cursor_of_a_player_who_comes_later_begins_on_a_free_character() -> None:
    ada, ben = _two()

    ada.press("enter")

    assert "> [ ] Samuel Osei" in ben.text()


# Nothing undoes itself silently --------------------------------------------------------------


def test_whoever_is_no_longer_ready_is_told_on_the_screen_and_in_the_journal() -> None:
    ada, ben = _two()
    get_ready(ada.house, [ada.client, ben.client])
    printed: list[str] = []
    plain = PlainClient(ben.client.model, ben.client.port, printed.append)
    plain.update()
    ben.text()
    known = ada.client.model.lobby.scenarios
    assert known is not None

    ada.client.port.choose_scenario(known[1].scenario)
    ada.house.settle()
    plain.update()

    for screen in (ada, ben):
        assert screen.told[-1] == "No longer ready: Ada, Ben"
    assert "The table has changed since you said that you were ready. Press Enter" in ben.text()
    assert any("No longer ready: Ada, Ben" in line for line in printed)
    ben.press("enter")
    assert "The table has changed" not in ben.text()
    ben.press("r")
    assert "The table has changed" not in ben.text()


def test_a_seat_that_plays_too_many_for_the_table_is_told() -> None:
    house = House()
    ada = house.client("Ada")
    code = house.open_table(ada)
    screen = Screen(house, ada)
    screen.press(" ", "down", " ")

    house.join(house.client("Ben"), code)

    assert "put one back with Space" in screen.text()
    screen.press("enter")
    assert "! So many at the table play fewer characters each" in screen.text()
    assert len(room_of(house, ada).seats[0].characters) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_journal_tells_who_is_put_back_and_never_that_somebody_plays_nobody(
    language: str,
) -> None:
    screen = _alone(language)

    screen.press(" ", " ", "enter", " ")

    told = [line for line in screen.told if "Whitlock" in line or "Osei" in line]
    say = screen.client.model.locale.say
    ada, both = say("journal.claimed", "Ada", "Ada Whitlock"), "Ada Whitlock, Samuel Osei"
    back = say("journal.put_back", "Ada", "Ada Whitlock")
    assert told == [ada, back, ada, say("journal.claimed", "Ada", both)]
    assert not any("nobody" in line or "personne" in line for line in screen.told)


# In lines ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "word"), [("en", "start"), ("fr", "start")])
def test_alone_two_lines_lead_to_the_game_in_plain_mode(language: str, word: str) -> None:
    """Earlier a separate line was needed to be ready."""
    screen = _alone(language)
    printed: list[str] = []
    plain = PlainClient(screen.client.model, screen.client.port, printed.append)
    plain.update()

    plain.hear("claim 1 2")
    screen.house.settle()
    plain.update()
    assert printed[-1] == screen.client.model.locale.say("plain.begin_hint")
    plain.hear(word)
    screen.house.settle()

    assert room_of(screen.house, screen.client).stage is Stage.PLAYING


def test_a_host_whom_alone_the_table_waits_for_is_ready_by_start() -> None:
    ada, ben = _two()
    get_ready(ada.house, [ada.client, ben.client])
    ada.client.port.set_ready(False)
    ada.house.settle()
    plain = PlainClient(ada.client.model, ada.client.port, list[str]().append)
    plain.update()

    plain.hear("start")
    ada.house.settle()

    assert room_of(ada.house, ada.client).stage is Stage.PLAYING
    assert room_id_of(ada.client)
