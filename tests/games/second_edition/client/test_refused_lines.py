"""Refused input on the full screen: each line says why and stays open."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

import client
from client.journal.journal import Journal
from client.keymap.keys import Context
from client.locale import LANGUAGES
from client.model.found_games import ALL_GAMES, FoundGames
from client.model.lobby import Pending
from client.notes.note_book import TooManyNotes
from client.screens.base.screen import Desk
from client.screens.lobby.found_games import open_found
from client.screens.review.replay import ReplayScreen
from client.screens.ui import Ui
from protocol.common.table import Settings
from protocol.messages import MAX_NOTE, MAX_TAG, GamesFound, OpenTable
from tests.games.second_edition.client.scripted import asked, lobby
from tests.games.second_edition.client.stage import OnStage, RecordingPort, model_of, play, until
from tests.games.second_edition.client.test_reviewing import client as reviewing
from tests.games.second_edition.client.test_reviewing import come, finished_file
from tests.kit.every_run import half_of
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, seat_all
from tests.kit.terminals.emulator import Screen, Stream

pytestmark = pytest.mark.issue(38)

SIZES = ((24, 80), (40, 120), (18, 34))
CODE = "68p6-70ea-5akq-0gf8"


def _desk(language: str, *, at_table: bool | None = None) -> Ui:
    """Return a screen in the lobby (None), in a waiting room (False) or in a game (True)."""
    script = None if at_table is None else asked() if at_table else lobby()
    model = model_of(script, language=language, is_lobby=at_table is None)
    return Ui(Desk(model, RecordingPort(), Journal(lambda: model.speaker)))


def _press(ui: Ui, *keys: str) -> Ui:
    for key in keys:
        ui.draw(24, 80)
        ui.press(key)
    return ui


def _found(language: str) -> Ui:
    ui = _desk(language)
    ui.base()
    open_found(ui.desk, FoundGames(ALL_GAMES, GamesFound(0, (), False)))
    return ui


def _password(language: str) -> Ui:
    ui = _desk(language)
    ui.desk.model.pending = Pending(OpenTable(1, Settings(), "core/sluice"))
    ui.base()
    return ui


def _replay(language: str) -> tuple[Ui, ReplayScreen]:
    ui, _ = reviewing()
    ui.desk.model.speak(language)
    come(ui, finished_file())
    screen = ui.base()
    assert isinstance(screen, ReplayScreen)
    return ui, screen


def _in_review(language: str, *, is_tag: bool) -> Ui:
    ui, screen = _replay(language)
    screen._together._ask_note(is_tag=is_tag)
    return ui


class _FullBook:
    """Note book that refuses further notes."""

    path = Path("notes")

    def read(self) -> tuple[()]:
        return ()

    def write(self, *_: object) -> None:
        raise TooManyNotes


def _note(language: str) -> Ui:
    ui = _desk(language, at_table=True)
    ui.desk.model.note_books = lambda _: _FullBook()  # type: ignore[assignment,return-value]
    return _press(ui, "d", "enter")


@attrs.frozen
class Line:
    """Text entry of the full screen, with a text that is refused there."""

    label: str
    open: Callable[[str], Ui]
    typed: str


LINES = (
    Line("entry.invitation", lambda said: _press(_desk(said), "i"), "no code"),
    Line("entry.setup", lambda said: _press(_desk(said, at_table=False), "f"), "no code"),
    Line("entry.setup", lambda said: _press(_found(said), "up", "enter"), "no code"),
    Line("entry.games.since", lambda said: _press(_found(said), "f", *["down"] * 3, "enter"), "x"),
    Line("entry.games.until", lambda said: _press(_found(said), "f", *["down"] * 4, "enter"), "x"),
    Line("entry.password", _password, "x" * 300),
    Line("entry.event", lambda said: _press(_replay(said)[0], "g"), "frog"),
    Line("entry.search", lambda said: _press(_replay(said)[0], "/"), "xyzzy"),
    Line("entry.search", lambda said: _press(_desk(said, at_table=True), "j", "/"), "xyzzy"),
    Line("entry.narrow", lambda said: _press(_desk(said, at_table=True), "i", "/"), "xyzzy"),
    Line("entry.note", _note, "here"),
    Line("entry.note", lambda said: _in_review(said, is_tag=False), "x" * (MAX_NOTE + 1)),
    Line("entry.tag", lambda said: _in_review(said, is_tag=True), "x" * (MAX_TAG + 1)),
)


def _labels() -> set[str]:
    """Return the labels of all text entries in the sources of the full screen."""
    found = set[str]()
    for path in (Path(client.__file__).parent / "screens").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "TextEntry":
                label = node.args[0]
                found.add(
                    str(label.value) if isinstance(label, ast.Constant) else ast.unparse(label)
                )
    return found


def test_no_line_of_the_full_screen_is_forgotten() -> None:
    """Chat is tested elsewhere, as only the server refuses it.

    The toy game tests the line of preparations.
    """
    by_name = {"f'entry.games.{name}'": {"entry.games.since", "entry.games.until"}}
    by_name["label"] = {"entry.tag", "entry.note"}

    labels = set[str]().union(*(by_name.get(label, {label}) for label in _labels()))

    assert labels == {line.label for line in LINES} | {"entry.chat", "entry.prepare"}


def _flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("line", "language"),
    half_of(LINES, LANGUAGES),
    ids=lambda one: one.label if isinstance(one, Line) else one,
)
def test_a_refused_line_says_why_and_stays_open_with_its_text(line: Line, language: str) -> None:
    ui = line.open(language)
    entry = ui.desk.entry
    assert entry is not None
    assert entry.label == line.label

    assert ui.enter(line.typed)

    assert ui.desk.entry is entry
    assert ui.desk.model.bar.is_wrong
    assert ui.desk.model.locale.language == language
    why = _flat("! " + ui.desk.model.bar.text)
    for rows, columns in SIZES:
        drawn = _flat(ui.draw(rows, columns).plain())
        # A narrow screen has two rows for it, which are cut.
        assert (why if columns > 50 else why[:30]) in drawn
        assert _flat(ui.desk.say(entry.label))[:30] in drawn


def test_a_line_that_is_given_up_takes_its_reason_along() -> None:
    ui = _press(_desk("en"), "i")
    ui.enter("no code")

    ui.cancel()

    assert ui.desk.entry is None
    assert not ui.desk.model.bar.text


def test_the_typed_text_stays_in_the_line_on_a_terminal() -> None:
    """In earlier versions the line stayed open, but empty."""

    async def press(stage: OnStage) -> None:
        await stage.press("i", *"no code", "enter")
        assert "! That is no invitation" in stage.text
        assert "Invitation: no code" in stage.text
        await stage.press("escape")
        assert "That is no invitation" not in stage.text

    play(model_of(None, is_lobby=True), press)


# Refused by the server ----------------------------------------------------------------------


def _screen_of(client: Client) -> Ui:
    return Ui(Desk(client.model, client.port, Journal(lambda: client.model.speaker)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_invitation_that_the_server_refuses_stays_to_be_corrected(language: str) -> None:
    house = House()
    code = house.open_table(house.client("Ada"))
    ben = house.client("Ben", language=language)
    ui = _press(_screen_of(ben), "i")

    assert ui.enter(CODE)
    assert ui.enter(CODE), "a second press must not send it twice"
    house.settle()

    assert _flat(ben.model.bar.text) in _flat(ui.draw(24, 80).plain())
    assert ui.context() is Context.ENTRY
    ui.enter(code)
    house.settle()
    ui.draw(24, 80)
    assert ui.desk.entry is None
    assert room_id_of(ben)


def test_a_setup_that_the_server_does_not_know_stays_to_be_corrected() -> None:
    house = House()
    ada, _ = seat_all(house, ["Ada", "Ben"])
    ui = _press(_screen_of(ada), "f")

    ui.enter(CODE)
    house.settle()

    assert "! There is no fixed setup of that code here" in ui.draw(24, 80).plain()
    assert ui.desk.entry is not None


def test_talk_that_is_refused_says_why_while_the_line_stays() -> None:
    house = House()
    ada, _ = seat_all(house, ["Ada", "Ben"])
    ui = _press(_screen_of(ada), "c")

    for number in range(100):
        ui.enter(f"line {number}")
    house.settle()

    assert "! The server is too busy" in ui.draw(24, 80).plain()
    assert ui.desk.entry is not None


# Outside the screen -------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["\x1b", "x", "\r", "\x1b[A"])
def test_any_key_comes_back(key: str) -> None:
    """A lone Esc looks like the beginning of another key at first."""

    async def press(stage: OnStage) -> None:
        desk = stage.terminal.ui.desk
        desk.show_outside("manse join")
        await until(lambda: "Press any key to come back." in stage.raw)
        await stage.press_outside(key)
        await stage.press("?")
        assert stage.terminal.ui.desk.boxes

    play(model_of(lobby()), press)


def test_a_text_outside_the_screen_stands_alone() -> None:
    """What was shown outside the screen before is gone when the next text is shown there."""

    async def show(stage: OnStage, text: str, count: int) -> None:
        stage.terminal.ui.desk.show_outside(text)
        await until(lambda: stage.raw.count("Press any key") == count)

    async def press(stage: OnStage) -> None:
        await show(stage, "manse join one", 1)
        await stage.press_outside("x")
        await show(stage, "manse join two", 2)
        # As terminals do, which keep the full screen apart; the emulator has one screen for both.
        outside = re.sub(r"\x1b\[\?1049h.*?\x1b\[\?1049l", "", stage.raw, flags=re.DOTALL)
        screen = Screen(80, 24)
        Stream(screen).feed(outside)
        lines = [line.rstrip() for line in screen.display]
        assert lines[:3] == ["manse join two", "", "Press any key to come back."]
        assert not any(lines[3:])
        await stage.press_outside("x")

    play(model_of(lobby()), press)
