"""Every box that opens over a game fits every terminal size and can be closed."""

import itertools

import pytest

from client.journal.journal import Journal
from client.keymap.keys import Context
from client.locale import LANGUAGES, load
from client.model.model import ClientModel
from client.model.tables import TableView
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.preferences import Lines, Preferences
from protocol.common.text import Text
from protocol.event import Sealed, hidden
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.scripted import (
    ANN,
    ROOM,
    Script,
    asked,
    changing,
    clues_question,
    rerolling,
    throw,
    words,
)
from tests.games.second_edition.client.stage import RecordingPort
from tests.games.second_edition.client.test_two_sided import dealt


def interface(script: Script, *, language: str = "en", live: int = 0) -> Ui:
    """Return an interface at a table whose last records arrive live."""
    model = ClientModel("Ann", ANN, load(language), words=words(language))
    journal = Journal(lambda: model.speaker)
    model.followers.append(journal)
    view = TableView(ROOM, 0)
    model.follow(view)
    model.update_table(next_sequence=len(script.stored) - live)
    model.pass_steps(view.receive(script.cuts(0)))
    seconds = itertools.count(1)
    return Ui(Desk(model, RecordingPort(), journal, now=lambda: float(next(seconds))))


def eventful() -> Script:
    """Return a game in which dice fall and a story is told."""
    script = asked()
    throw(script)
    script.emit(
        se.TestFinished("investigator/ada", 1, is_passed=False),
        se.OppositionRolled(()),
        se.Told(Text("story/prologue")),
        se.ToldPrivately("investigator/ada", _private()),
    )
    return script


def _private() -> Sealed[Text]:

    return hidden(Text("story/whisper"))


LIVE = 6
WAYS = (
    ("t", "left", "right", "pagedown", "home", "end"),
    ("i", "down", "down", "enter", "right", "pagedown", "escape", "up"),
    ("m", "down", "enter", "tab", "enter"),
    ("o", "down"),
    ("w", "down", "right", "z", "left", "up", "z", "z"),
    ("j", "left", "left", "n", "right", "pageup", "home", "end"),
    ("right", "left", " ", "down"),
)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (1, 1),
        (1, 200),
        (17, 51),
        (60, 1),
        *(pytest.param(4, columns, marks=pytest.mark.long) for columns in (1, 30, 51, 100, 200)),
        *(pytest.param(rows, 100, marks=pytest.mark.long) for rows in (1, 17, 60)),
        *(
            pytest.param(*size, marks=pytest.mark.long)
            for size in ((1, 51), (17, 1), (17, 200), (60, 51), (60, 200))
        ),
    ],
)
def test_no_size_breaks_a_box(rows: int, columns: int) -> None:
    for script in (eventful(), changing(), rerolling(), dealt()):
        ui = interface(script, live=LIVE)
        for keys in WAYS:
            for key in ("", *keys, "escape", "escape", "escape"):
                if key:
                    ui.press(key)
                lines = ui.draw(rows, columns).plain().split("\n")
                assert len(lines) == rows


@pytest.mark.parametrize("key", ["", "t", "i", "m", "o", "j", "w", "?", "e"])
@pytest.mark.parametrize("way_out", ["escape", "q"])
def test_every_box_can_be_left(key: str, way_out: str) -> None:
    ui = interface(eventful(), live=LIVE)
    ui.draw(24, 80)
    if key:
        ui.press("escape")
        ui.press(key)
        ui.draw(24, 80)
    assert ui.context() is not Context.ROOM
    if way_out == "q" and ui.context() in {Context.MENU, Context.SETTINGS}:
        return
    for _ in range(3):
        if ui.desk.boxes:
            ui.press(way_out)
            ui.draw(24, 80)
    assert ui.context() is Context.ROOM


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [80, 120, 200])
def test_no_word_of_a_hint_is_cut(columns: int, language: str) -> None:
    ui = interface(eventful(), language=language, live=LIVE)
    for key in ("", "t", "i", "m", "j"):
        if key:
            ui.press("escape")
            ui.press(key)
        hints = ui.draw(24, columns).plain().split("\n")[-1]
        assert "~" not in hints
        assert ui.desk.say("hint.back") in hints


@pytest.mark.parametrize("key", ["", "t", "i", "m", "o", "j"])
def test_ascii_is_enough_for_every_box(key: str) -> None:
    ui = interface(eventful(), live=LIVE)
    ui.desk.prefs = Preferences(lines=Lines.ASCII)
    ui.draw(40, 120)
    if key:
        ui.press("escape")
        ui.press(key)

    assert ui.draw(40, 120).plain().isascii()


def test_the_clues_are_about_the_dice_that_lie_there() -> None:
    """The tests that choose dice rely on this scripted question."""
    points = {point for choice in clues_question().choices for point in choice.points}

    assert {point.piece for point in points if point.kind == "die"} == {"1", "3"}
