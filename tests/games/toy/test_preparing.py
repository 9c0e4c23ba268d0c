"""Preparations of a seat before the game, on the full screen and in plain mode."""

import re

import pytest

from client.journal.journal import Journal
from client.plain.client import PlainClient
from client.plugs.brains import Preparer
from client.plugs.face import GameFace, face_of
from client.plugs.preparation import Preparation, UnwritableLines
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol import messages
from protocol.common.padded import MAX_CONTENT
from protocol.common.table import Stage
from tests.games.toy.house import ToyHouse
from tests.games.toy.test_before_the_start import sat_down
from tests.kit.servers.house import Client
from tests.kit.servers.tables import room_of
from tests.kit.tables.toy_table import Content

pytestmark = pytest.mark.issue(11)


class Waiting:
    """Waiting room with Ann on the full screen and Ben in plain mode, each with a piece."""

    def __init__(self, content: Content) -> None:
        self.house = ToyHouse(on_shelf=content)
        self.ann, self.ben = sat_down(self.house, "Ann", "Ben")
        self.ui = Ui(Desk(self.ann.model, self.ann.port, Journal(lambda: self.ann.model.speaker)))
        self.printed: list[str] = []
        self.plain = PlainClient(self.ben.model, self.ben.port, self.printed.append)
        self.plain.update()

    def press(self, *keys: str) -> None:
        """Press Ann's keys, drawing before each."""
        for key in keys:
            self.ui.draw(24, 80)
            self.ui.press(key)
            self.house.settle()

    def write(self, text: str) -> None:
        """Have Ann type a line into the open entry."""
        self.ui.enter(text)
        self.house.settle()

    def screen(self, rows: int = 24, columns: int = 80) -> str:
        return self.ui.draw(rows, columns).plain()

    def hear(self, line: str) -> str:
        """Have Ben type a line; return what is printed."""
        before = len(self.printed)
        self.plain.hear(line)
        self.house.settle()
        return "\n".join(self.printed[before:])

    def prepared(self, client: Client) -> bytes | None:
        """Return what a player has prepared, as the server has it."""
        view = client.model.view
        assert view is not None
        assert view.seat is not None
        found = room_of(self.house, client).seats[view.seat].prepared
        return None if found is None else found.value.content


def wishing() -> Waiting:
    """Return a table whose rules want a wish from each seat."""
    return Waiting(Content(has_wishes=True))


def box_of(text: str) -> str:
    """Return the text without frames and repeated blanks."""
    return " ".join(re.sub("[│┌┐└┘─]", " ", text).split())


def test_a_wish_is_written_and_sent_on_the_screen() -> None:
    """The prompt is above the entry, and nothing is sent until sending is chosen."""
    table = wishing()

    table.press("w")
    assert "Wish for a weather: fog, hail, rain or sun." in table.screen()
    table.press("enter")
    table.write("rain")
    assert "Take away: rain" in table.screen()
    assert table.prepared(table.ann) is None
    table.press("enter")

    assert table.prepared(table.ann) == b"rain"
    assert "Sent: rain. Nobody else can read it." in table.screen()


def test_the_reason_of_a_refusal_stays_on_the_screen() -> None:
    """The reason stays until the rules accept something."""
    table = wishing()
    table.press("w", "enter")
    table.write("snow")
    table.press("enter")
    reason = "The rules say: "
    assert reason in table.screen()
    assert table.prepared(table.ann) is None

    table.press("up", "enter", "enter")
    table.write("sun")
    table.press("enter")

    assert table.prepared(table.ann) == b"sun"
    assert reason not in table.screen()


@pytest.mark.issue(39)
def test_all_reasons_of_a_refusal_are_listed_each_with_its_rule() -> None:
    """Only the seat that prepared is sent them, and their words."""
    table = wishing()
    table.press("w", "enter")
    table.write("storm")
    table.press("enter")

    text = box_of(table.screen(30, 100))
    assert "The rules say 2 things against it:" in text
    assert "- Wish for one of: fog, hail, rain, sun (rule: Wishes (TOY-15))" in text
    assert "- 5 letters are too many: a wish has 4 at most (rule: Long wishes (TOY-16))" in text
    refused = table.ann.session.last(messages.Refusal)
    assert [one.rule for one in refused.reasons] == ["TOY-15", "TOY-16"]
    assert refused.text == refused.reasons[0].text
    assert not table.ben.session.all(messages.Refusal)
    words = [
        subject for one in table.ben.session.all(messages.Words) for subject, _ in one.subjects
    ]
    assert "rule/toy-16" not in words


@pytest.mark.issue(39)
def test_all_reasons_of_a_refusal_are_printed_in_plain_mode() -> None:
    table = wishing()
    table.hear("prepare storm")

    told = table.hear("prepare")

    assert "The rules say 2 things against it:" in told
    assert "- Wish for one of: fog, hail, rain, sun (rule: Wishes (TOY-15))" in told
    assert "- 5 letters are too many: a wish has 4 at most (rule: Long wishes (TOY-16))" in told
    table.hear("prepare snow")
    assert "The rules say: Wish for one of" in table.hear("prepare")
    assert "TOY-16" not in table.hear("prepare")


@pytest.mark.issue(38)
def test_a_line_that_cannot_be_sent_is_refused_while_it_is_open() -> None:
    """Earlier, the line was accepted and sending the whole text was refused later."""
    table = wishing()
    table.press("w", "enter")

    assert table.ui.enter("x" * (MAX_CONTENT + 1))

    assert table.ui.desk.entry is not None
    assert table.ann.model.bar.is_wrong
    assert " ".join(table.ann.model.bar.text.split())[:40] in " ".join(table.screen().split())


def test_a_wish_is_typed_in_plain_mode() -> None:
    """Without an argument the command prints the prompt, and later what was sent."""
    table = wishing()

    assert "Wish for a weather" in table.hear("prepare")
    assert "fog, hail, rain, sun" in table.hear("prepare snow")
    assert "The rules say: " in table.hear("prepare")
    assert table.prepared(table.ben) is None
    table.hear("prepare hail")

    assert table.prepared(table.ben) == b"hail"
    told = table.hear("prepare")
    assert "Sent: hail." in told
    assert "The rules say" not in told


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120)])
def test_the_waiting_room_says_who_still_has_to_prepare(rows: int, columns: int) -> None:
    """The text of a preparation is shown to nobody else."""
    table = wishing()
    assert "prepare" not in table.screen(rows, columns).split("Seats")[1].split("Journal")[0]

    table.hear("prepare hail")

    text = box_of(table.screen(rows, columns))
    assert "Ben (prepared)" in text
    due = {80: "Ann (you, host, has to", 120: "Ann (you, host, has to prepare): bear"}
    assert due[columns] in text
    assert "There is something to prepare first: press w." in text
    assert "hail" not in text
    told = table.hear("lobby")
    assert "Ann (host, has to prepare)" in told
    assert "Ben (you, prepared)" in told


def test_ready_without_a_wish_says_what_to_do() -> None:
    """The client knows the refusal from then on, before anybody has prepared anything."""
    table = wishing()

    table.press("r")
    table.hear("ready")

    assert "There is something to prepare first: press w." in box_of(table.screen())
    assert "There is something to prepare first: type prepare." in table.hear("")


def test_a_game_begins_once_all_have_prepared() -> None:
    table = wishing()
    table.press("w", "enter")
    table.write("rain")
    table.press("enter", "escape", "r")
    table.hear("prepare sun")
    table.hear("ready")

    table.press("s")

    assert room_of(table.house, table.ann).stage is Stage.PLAYING


@pytest.mark.parametrize("has_wishes", [True, False], ids=["wanted", "not_wanted"])
def test_a_bot_prepares_what_the_rules_want(*, has_wishes: bool) -> None:
    """The bot writes a wish if the rules want one, and nothing if they refuse any."""
    house = ToyHouse(on_shelf=Content(has_wishes=has_wishes))
    ann, *_ = sat_down(house, "Ann")
    ann.port.add_bot()
    house.settle(2)

    bot = room_of(house, ann).seats[1]

    assert bot.is_bot
    assert bot.is_ready
    assert (bot.prepared is not None) == has_wishes


def test_a_game_that_wants_a_preparation_begins_with_bots() -> None:
    """Two bot clients, one of them as the host, play it to its end."""
    house = ToyHouse(on_shelf=Content(has_wishes=True))
    ann, ben = sat_down(house, "Ann", "Ben")
    host = house.bot(ann, 1)
    house.bot(ben, 2)
    host.party = 2

    house.settle(60)

    assert room_of(house, ann).stage is Stage.OVER


@pytest.mark.parametrize(
    "preparers", [{}, {"": lambda _view, _rng: b"snow"}], ids=["none", "refused"]
)
def test_a_bot_whose_preparation_is_refused_stops_trying(
    preparers: dict[str, Preparer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing more is sent until something happens at the table."""
    monkeypatch.setattr("client.plugs.brains._preparers_of", {"toy": preparers}.__getitem__)
    table = wishing()
    table.house.bot(table.ben)
    table.house.settle(2)
    said = table.ben.serial

    table.house.settle(60)

    assert table.ben.serial == said
    assert table.prepared(table.ben) is None
    assert not room_of(table.house, table.ann).seats[1].is_ready


def test_without_a_face_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The box names the game that has no face, and quotes why the rules refuse to start."""
    face = GameFace("toy")
    monkeypatch.setattr("client.plugs.face._installed", {"toy": face}.__getitem__)
    table = wishing()
    assert "prepare" not in table.hear("help")
    table.press("w")
    assert table.ui.desk.model.bar.text == "w does nothing here; ? helps"
    table.press("r")
    table.hear("ready")

    table.press("w")

    said = "its part for the game “toy” is missing"
    assert said in box_of(table.screen())
    assert "The rules say: " in table.screen()
    assert said in table.hear("prepare")
    assert "prepare: " in table.hear("help")


def test_a_refusal_counts_no_more_after_another_choice() -> None:
    """The rules may judge differently for another character."""
    table = wishing()
    table.press("r")
    assert table.ann.model.unfit_here is not None

    table.ann.port.claim(("owl",))
    table.house.settle()

    assert table.ann.model.unfit_here is None


def test_too_much_is_refused_before_it_is_sent() -> None:
    """The largest text that is allowed is sent."""
    preparation = Preparation(lambda _speaker, _room: ())

    assert preparation.bytes_of(["x" * MAX_CONTENT]) == b"x" * MAX_CONTENT
    with pytest.raises(UnwritableLines) as raised:
        preparation.bytes_of(["x" * (MAX_CONTENT + 1)])
    assert (raised.value.key, raised.value.params) == ("prepare.long", (MAX_CONTENT,))


def test_several_lines_are_typed_with_a_semicolon_between(monkeypatch: pytest.MonkeyPatch) -> None:
    several = GameFace(
        "toy", before={"": Preparation(lambda _s, _r: ("Two lines.",), most_lines=2)}
    )
    monkeypatch.setattr("client.plugs.face._installed", {"toy": several}.__getitem__)
    table = wishing()

    assert "At most 2 lines are wanted." in table.hear("prepare a; b; c")
    assert "with ; between them" in table.hear("prepare")
    table.press("w", "enter")
    table.write("a")
    table.press("enter")
    table.write("b")

    text = table.screen()
    assert "Take away: a" in text
    assert "Take away: b" in text
    assert "Write a line" not in text


def test_the_help_names_the_key_where_there_is_something_to_prepare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, named = wishing(), []
    for faces in ({"toy": face_of("toy")}, {"toy": GameFace("toy")}):
        monkeypatch.setattr("client.plugs.face._installed", faces.__getitem__)
        table.press("?")
        named.append("prepare what the game wants" in box_of(table.screen(60, 100)))
        table.press("escape")

    assert named == [True, False]
