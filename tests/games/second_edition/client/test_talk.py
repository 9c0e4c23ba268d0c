"""Chat while a box is open: players who read together talk about it."""

import pytest

from client.model.lobby import PLAY, SOLO
from client.screens import talk
from protocol.common.events import Chatted
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.scripted import Script, asked, lobby
from tests.games.second_edition.client.stage import OnStage, model_of, play

STORY = "┌ Story ─"


def says(script: Script, words: str, seat: int = 1) -> None:
    script.emit(Chatted(seat, hidden(words.encode())), origin=seat)


async def read_story(stage: OnStage, script: Script) -> None:
    """Tell a story and wait until keys act on its box."""
    stage.stop_clock()
    script.emit(se.Told(Text("epilogue")))
    await stage.arrive(script)
    stage.time += 1
    assert STORY in stage.text


def test_whoever_reads_the_story_can_talk_and_goes_on_reading() -> None:
    script = asked()

    async def do(stage: OnStage) -> None:
        await read_story(stage, script)
        assert "c chat" in stage.text.splitlines()[-1]
        await stage.press("c", "h", "o", "enter")
        assert STORY in stage.text
        await stage.press("escape")
        assert STORY in stage.text
        await stage.press("enter")
        assert STORY not in stage.text

    assert play(model_of(script), do).port.said == [("chat", "ho")]


@pytest.mark.parametrize("key", ["o", "j", "m", "i", "t", "?"])
def test_whatever_is_read_one_can_talk(key: str) -> None:
    script = asked()

    async def do(stage: OnStage) -> None:
        await stage.press(key, "c", "h", "i", "enter")

    assert play(model_of(script), do).port.said == [("chat", "hi")]


@pytest.mark.parametrize("seat", [0, 1])
def test_what_is_said_meanwhile_is_read_below_the_box(seat: int) -> None:
    script = asked()
    says(script, "before")

    async def do(stage: OnStage) -> None:
        await read_story(stage, script)
        says(script, "wait, who wrote that?")
        await stage.arrive(script)
        assert STORY in stage.text
        line = "> Bob: wait, who wrote that?"
        assert stage.text.splitlines()[-3] == line
        await stage.press("c", "h")
        assert stage.text.splitlines()[-3] == line
        await stage.press("escape", "enter")
        assert line not in stage.text.splitlines()

    play(model_of(script, seat=seat), do, rows=24, columns=80)


def test_a_flood_of_words_leaves_the_box_its_place() -> None:
    script = asked()

    async def do(stage: OnStage) -> None:
        await read_story(stage, script)
        for at in range(9):
            says(script, f"{at} " + "la " * 60)
        await stage.arrive(script)
        assert STORY in stage.text
        below = stage.text.splitlines()[-2 - talk._LEAST_ROWS : -2]
        assert all(row.strip().startswith("la la") for row in below)

    play(model_of(script), do, rows=24, columns=80)


@pytest.mark.parametrize("seat", [0, None])
def test_where_nobody_can_talk_no_key_says_so(seat: int | None) -> None:
    script = asked()
    model = model_of(script, seat=seat)
    model.launch = PLAY if seat is None else SOLO

    async def do(stage: OnStage) -> None:
        await read_story(stage, script)
        assert "chat" not in stage.text.splitlines()[-1]

    play(model, do)


def test_among_the_tables_there_is_nobody_to_talk_to() -> None:

    async def do(stage: OnStage) -> None:
        await stage.press("?", "c")
        assert "! c does nothing here" in stage.text

    assert play(model_of(None, is_lobby=True), do).port.said == []


def test_around_a_table_before_the_game_one_talks_over_a_box_too() -> None:
    async def do(stage: OnStage) -> None:
        await stage.press("?", "c", "h", "i", "enter")

    assert play(model_of(lobby()), do).port.said == [("chat", "hi")]
