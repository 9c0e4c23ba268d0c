"""Terminal of 34x18, such as a phone's: one column, and a key switches to the map."""

import pytest

from client.journal.journal import Journal
from client.model.model import Bar
from client.model.status import Disconnected
from client.screens.base.screen import Desk, TextEntry
from client.screens.ui import Typed, Ui
from protocol.common.asks import Choice, Question
from protocol.common.text import Text
from tests.games.second_edition.client.scripted import asked, playing
from tests.games.second_edition.client.stage import OnStage, RecordingPort, model_of, play

SIZE = (18, 34)


def _shown(*keys: str, rows: int = SIZE[0], columns: int = SIZE[1]) -> str:
    shown: list[str] = []

    async def look(stage: OnStage) -> None:
        await stage.press(*keys)
        shown.append(stage.text)

    play(model_of(asked()), look, rows=rows, columns=columns)
    return shown[0]


@pytest.mark.issue(35)
def test_the_map_is_a_key_away_and_the_text_too() -> None:
    assert "Map (w: all of it)" in _shown()
    assert "Kitchen    ]│" in _shown("down", "w")
    assert "Your choice" in _shown("w", "w")


def test_a_high_terminal_has_the_map_above_everything_else() -> None:
    lines = _shown(rows=44).split("\n")
    titles = ("─ Map", "─ Your choice", "─ Party", "─ Journal")
    places = [next(at for at, line in enumerate(lines) if title in line) for title in titles]

    assert places == sorted(places)


@pytest.mark.parametrize(("rows", "columns"), [(17, 34), (18, 33)])
def test_a_smaller_terminal_is_told_what_the_game_needs(rows: int, columns: int) -> None:
    said = " ".join(_shown(rows=rows, columns=columns).split())

    assert ("34 columns and 18 rows" in said) is (columns < 34)


def test_a_message_of_two_lines_takes_rows_of_the_game() -> None:

    async def look(stage: OnStage) -> None:
        stage.model.bar = Bar("The question has just changed; read it again, please.")
        await stage.look()
        assert "again, please." in stage.text
        assert "Your choice" in stage.text

    play(model_of(asked()), look, rows=SIZE[0], columns=SIZE[1])


def test_a_lost_connection_is_said_above_the_game() -> None:
    model = model_of(asked())
    model.status = Disconnected(3.0)

    async def look(stage: OnStage) -> None:
        assert "server" in stage.text.split("\n")[0]
        assert "Your choice" in stage.text

    play(model, look, rows=SIZE[0], columns=SIZE[1])


def test_long_words_before_what_is_typed_stand_above_it() -> None:
    model = model_of(None, is_lobby=True)
    ui = Ui(Desk(model, RecordingPort(), Journal(lambda: model.speaker)))
    ui.desk.entry = TextEntry("entry.games.since", lambda _: None)

    rows = ui.draw(*SIZE, Typed("2026", 4)).plain().split("\n")

    assert rows[-4].startswith("First day, like")
    assert rows[-2] == "2026"


@pytest.mark.issue(35)
def test_a_question_that_is_cut_stands_whole_in_the_help() -> None:
    long = "He asks which of you will carry the lantern, and what you would leave behind. " * 4
    script = playing()
    choices = tuple(Choice(f"1.{at}", Text("choice/end"), group="done") for at in range(3))
    script.ask({0: Question(Text("ask/long"), choices)}, about=Text("ask/action"))
    model = model_of(script)
    model.words.add("en", (("ask/long", (("text", long),)),))
    seen: list[str] = []

    async def look(stage: OnStage) -> None:
        seen.append(stage.text)
        await stage.press("?")
        seen.append(" ".join(stage.text.replace("│", " ").split()))

    play(model, look, rows=SIZE[0], columns=SIZE[1])

    assert "~ ?" in seen[0]
    assert long.split(". ", maxsplit=1)[0] in seen[1]


@pytest.mark.issue(41)
def test_a_long_choice_stands_whole_in_the_help_on_a_wide_screen_too() -> None:
    long = "Nobody has come down this stair. " * 12
    script = playing()
    question = Question(Text("ask/short"), (Choice("1.0", Text("ask/long")),))
    script.ask({0: question}, about=Text("ask/action"))
    model = model_of(script)
    model.words.add("en", (("ask/long", (("text", long),)), ("ask/short", (("text", "Why?"),))))
    seen: list[str] = []

    async def look(stage: OnStage) -> None:
        await stage.press("?")
        seen.append(stage.text)

    play(model, look, rows=40, columns=120)

    assert "Why?" in seen[0]
    assert seen[0].count("stair.") >= 12
