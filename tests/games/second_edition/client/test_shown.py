"""Screen during a story: it shows the table only up to the page that was read."""

import re
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from client.terminal.notifier import title_of
from protocol.common.events import Chatted
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Monster, Phase, Possession
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import (
    Script,
    action_question,
    asked,
    playing,
    throw,
)
from tests.games.second_edition.client.stage import OnStage, model_of, play
from tests.kit.every_run import half_of

pytestmark = pytest.mark.issue(38)
Doing = Callable[[OnStage], Coroutine[Any, Any, None]]
ADA, AMOS = "investigator/ada", "investigator/amos"
LETTER = "The letter is in your own hand."
WORDS = {
    "story/letter": LETTER,
    "story/knock": "Somebody knocks, and does not stop.",
    "story/wet": "Water stands in the hall.",
}


def evening(script: Script) -> None:
    """Tell a story of three pages with changes of the table in between."""
    script.emit(
        se.Told(Text("story/letter")),
        se.MonsterSpawned(Monster("m9", "monster/tallyman", 2, "hall/b", 3, 2, 1, 2)),
        se.PossessionGained(AMOS, Possession("p9", "item/lantern")),
        se.PhaseBegan(Phase.MYTHOS, 2),
    )
    throw(script)
    script.emit(
        se.TestFinished(ADA, 1, is_passed=False),
        se.Told(Text("story/knock")),
        se.InvestigatorMoved(AMOS, "hall/c"),
        se.PhaseBegan(Phase.INVESTIGATOR, 3),
        se.Told(Text("story/wet")),
        se.TurnBegan(ADA, 2),
    )
    script.ask({0: action_question()}, about=Text("ask/action", (ADA, 2)), rule="TURN-2")


def on_stage(
    script: Script, doing: Doing, *, language: str = "en", rows: int = 40, columns: int = 120
) -> OnStage:
    """Run a client while a story is told."""
    model = model_of(script, language=language)
    model.words.add(language, tuple((key, (("text", said),)) for key, said in WORDS.items()))

    async def do(stage: OnStage) -> None:
        stage.stop_clock()
        await doing(stage)

    return play(model, do, rows=rows, columns=columns)


def place_of_box(text: str) -> tuple[int, int, int, int]:
    """Return the first row and column and the last row and column of the story box."""
    lines = text.split("\n")
    top, left = next(
        (row, found.start())
        for row, line in enumerate(lines)
        if (found := re.search("┌ (Story|Récit)", line))
    )
    right = lines[top].index("┐", left)
    bottom = next(row for row in range(top, len(lines)) if lines[row][left : left + 1] == "└")
    return top, left, bottom, right


def without(text: str, place: tuple[int, int, int, int]) -> list[str]:
    """Return the rows of a screen with the box blanked and the bottom line removed."""
    top, left, bottom, right = place
    rows = text.split("\n")[:-1]
    for row in range(top, bottom + 1):
        line = rows[row].ljust(right + 1)
        rows[row] = line[:left] + " " * (right + 1 - left) + line[right + 1 :]
    return [row.rstrip() for row in rows]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120), (60, 200)])
def test_nothing_is_shown_that_the_page_will_tell(rows: int, columns: int, language: str) -> None:
    script = playing()

    async def look(stage: OnStage) -> None:
        before = stage.text
        evening(script)
        await stage.arrive(script)
        assert LETTER in stage.text
        dice = "┌ Dice" if language == "en" else "┌ Dés"
        assert dice not in stage.text
        place = place_of_box(stage.text)
        assert without(stage.text, place) == without(before, place)

    on_stage(script, look, language=language, rows=rows, columns=columns)


def test_the_table_moves_on_with_each_page() -> None:
    script = playing()

    async def look(stage: OnStage) -> None:
        evening(script)
        await stage.arrive(script)
        assert "Round 2" in stage.text.split("\n")[0]
        stage.time += 1
        await stage.press("enter")
        assert "Somebody knocks" in stage.text
        assert stage.text.index("┌ Dice") < stage.text.index("┌ Story")
        assert "Mythos" in stage.text.split("\n")[0]
        assert "Water stands" not in stage.text
        stage.time += 1
        await stage.press("enter")
        assert "Round 3" in stage.text.split("\n")[0]
        assert "Water stands in the hall." in stage.text
        assert "your choice" not in stage.text.lower()
        stage.time += 1
        await stage.press("enter")
        assert "┌ Story" not in stage.text
        assert "Your choice" in stage.text

    on_stage(script, look)


def test_the_title_tells_no_more_than_the_page() -> None:
    """Until the story is read, the title only says that there is a page to read."""
    script = playing()
    titles: list[str] = []

    async def look(stage: OnStage) -> None:
        def note() -> None:
            is_behind = stage.terminal.ui.desk.shown.is_behind
            titles.append(title_of(stage.model, is_behind=is_behind))

        evening(script)
        await stage.arrive(script)
        note()
        assert "]2;Manse: a page to read" in stage.raw
        assert "Round 3" not in stage.raw.split("]2;Manse: a page to read")[1]
        for _ in range(3):
            stage.time += 1
            await stage.press("enter")
        note()

    on_stage(script, look)

    assert titles == ["Manse: a page to read", "Manse: your turn (Round 3)"]


def test_talk_is_read_while_a_page_waits() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        await stage.press("c", "h")
        script.emit(se.Told(Text("story/letter")))
        script.emit(Chatted(1, hidden(b"who is at the door?")), origin=1)
        await stage.arrive(script)
        assert LETTER not in stage.text
        assert "who is at the door?" in stage.text
        await stage.press("escape")
        assert LETTER in stage.text
        assert "who is at the door?" in stage.text

    on_stage(script, look)


def test_the_end_leads_to_the_present() -> None:
    """End skips the pages of a story, which can be read in the book later."""
    script = playing()

    async def look(stage: OnStage) -> None:
        evening(script)
        await stage.arrive(script)
        stage.time += 1
        await stage.press("end")
        assert "┌ Story" not in stage.text
        assert "Round 3" in stage.text
        stage.time += 1
        await stage.press("t")
        assert "Water stands in the hall." in stage.text

    on_stage(script, look)


def test_what_is_looked_up_meanwhile_is_as_far_as_was_read() -> None:
    script = playing()

    async def look(stage: OnStage) -> None:
        await stage.press("m")
        before = stage.text
        evening(script)
        await stage.arrive(script)
        assert stage.text == before
        await stage.press("escape")
        assert LETTER in stage.text

    on_stage(script, look)


def test_plain_mode_prints_in_the_order_of_the_story() -> None:
    script = playing()
    console = Console(script)
    words = tuple((key, (("text", said),)) for key, said in WORDS.items())
    console.model.words.add("en", words)
    console.fresh()
    evening(script)
    view = console.model.view
    assert view is not None
    console.model.pass_steps(view.receive(script.cuts(0, view.last + 1)))
    console.model.changed()

    said = "\n".join(console.fresh())
    order = [LETTER, "Ada Lorne tests observation", "Somebody knocks", "Water stands", "an action"]
    places = [said.index(words) for words in order]
    assert places == sorted(places)


# Keys typed ahead --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("box", "key"), half_of(("o", "i", "m", "j", "?", "t"), ("enter", " ", "2"))
)
def test_a_key_after_a_box_answers_nothing(box: str, key: str) -> None:
    """Keys are ignored for 0.4 s after a box was closed, and after an ignored key."""
    script = asked()

    async def look(stage: OnStage) -> None:
        await stage.press(box)
        stage.time += 1
        await stage.press("escape")
        stage.time += 0.3
        await stage.press(key)
        assert "You have only just closed something" in stage.text
        stage.time += 0.3
        await stage.press(key)
        assert "You have only just closed something" in stage.text
        assert stage.port.said == []
        stage.time += 0.5
        await stage.press("enter")

    assert on_stage(script, look).port.said == [("answer", 0, ("1.1",))]


def test_a_key_typed_before_the_question_was_drawn_does_not_answer_it() -> None:
    script = playing()

    async def look(stage: OnStage) -> None:
        script.ask({0: action_question()}, about=Text("ask/action", (ADA, 2)))
        view = stage.model.view
        assert view is not None
        stage.model.pass_steps(view.receive(script.cuts(0, view.last + 1)))
        ui = stage.terminal.ui
        for key in ("3", " ", "enter"):
            ui.press(key)
        await stage.look()
        assert stage.port.said == []
        await stage.press("enter")

    assert on_stage(script, look).port.said == [("answer", 0, ("1.1",))]
