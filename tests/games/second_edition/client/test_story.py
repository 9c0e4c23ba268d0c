"""Story: it opens in a box, holds nobody up, takes no key meant for another, and can be reread."""

import functools
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from client.journal.journal import Journal
from client.keymap.keys import Action
from client.locale import load
from client.model.model import ClientModel
from client.screens.base.screen import Desk
from client.screens.reading.story import StoryBox, parts_of
from client.settings.preferences import Preferences
from client.tellers.base import JournalLine, Tone
from client.widgets.canvas import Canvas
from protocol.common.events import Chatted
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.scripted import Script, action_question, asked, playing
from tests.games.second_edition.client.stage import (
    SIZES,
    OnStage,
    RecordingPort,
    model_of,
    play,
    same_screen,
)
from tests.kit.every_run import screens

Doing = Callable[[OnStage], Coroutine[Any, Any, None]]
ADA = "investigator/ada"
LETTER = "The letter is in your own hand."


def tell(script: Script, *stories: str, to: str | None = None) -> None:
    """Tell stories to everybody, or to one investigator."""
    for story in stories:
        text = Text(story)
        script.emit(se.Told(text) if to is None else se.ToldPrivately(to, hidden(text)))


def model_with(script: Script, words: dict[str, str], *, seat: int | None = 0) -> ClientModel:
    """Return a model with extra texts."""
    model = model_of(script, seat=seat)
    model.words.add("en", tuple((key, (("text", said),)) for key, said in words.items()))
    return model


def on_stage(
    script: Script, doing: Doing, *, seat: int | None = 0, rows: int = 40, columns: int = 120
) -> OnStage:
    """Run a client with a stopped clock while a story is told."""
    model = model_with(script, {"story/letter": LETTER}, seat=seat)

    async def do(stage: OnStage) -> None:
        stage.stop_clock()
        await doing(stage)

    return play(model, do, rows=rows, columns=columns)


def test_what_is_told_opens_in_a_box() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        assert "┌ Story" not in stage.text
        tell(script, "story/letter")
        await stage.arrive(script)
        assert "┌ Story ─" in stage.text
        assert LETTER in stage.text

    on_stage(script, look)


def last(stage: OnStage) -> int:
    view = stage.model.view
    assert view is not None
    return view.last


@pytest.mark.issue(38)
def test_bots_are_told_when_a_story_was_read() -> None:
    """Bots wait until a player has closed the last page."""
    script = asked()

    def reports(stage: OnStage) -> list[int]:
        return [said[1] for said in stage.port.said if said[0] == "have_read"]

    async def look(stage: OnStage) -> None:
        before = last(stage)
        assert reports(stage) == []
        stage.model.update_table(reported=-1)
        await stage.look()
        assert reports(stage)[-1] == before
        stage.model.update_table(reported=before)
        stage.port.said.clear()
        tell(script, *["story/letter"] * 30)
        await stage.arrive(script)
        stage.time += 1
        assert reports(stage) == []
        await stage.press("enter")
        assert reports(stage) == [before]
        assert "┌ Story" in stage.text
        tell(script, "story/letter")
        await stage.arrive(script)
        stage.time += 1
        await stage.press("escape")
        assert reports(stage) == [before, last(stage)]

    on_stage(script, look, rows=24, columns=80)


@pytest.mark.issue(38)
def test_a_story_that_waits_for_another_box_is_unread() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        stage.model.update_table(reported=last(stage))
        await stage.press("j")
        tell(script, "story/letter")
        await stage.arrive(script)
        assert "┌ Story" not in stage.text
        assert stage.port.said == []

    on_stage(script, look)


@pytest.mark.issue(38)
def test_who_reads_in_the_journal_is_not_waited_for() -> None:
    """A player without story boxes never closes one, so nobody waits for that."""
    script = asked()

    async def look(stage: OnStage) -> None:
        stage.model.update_table(reported=-1)
        stage.terminal.ui.desk.prefs = Preferences(story=False)
        tell(script, "story/letter")
        await stage.arrive(script)
        assert stage.port.said[-1] == ("have_read", last(stage))

    on_stage(script, look)


@pytest.mark.parametrize("key", ["enter", " ", "escape", "q"])
def test_a_key_closes_the_last_page(key: str) -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        tell(script, "story/letter")
        await stage.arrive(script)
        stage.time += 1
        await stage.press(key)
        assert "┌ Story" not in stage.text
        assert stage.port.said == []
        stage.time += 1
        await stage.press("enter")

    assert on_stage(script, look).port.said == [("answer", 0, ("1.1",))]


@pytest.mark.issue(14)
def test_a_key_typed_ahead_answers_nothing_behind_the_story() -> None:
    """A player who leans on Enter must not choose by accident."""
    script = asked()

    async def look(stage: OnStage) -> None:
        tell(script, "story/letter")
        await stage.arrive(script)
        stage.time += 1
        await stage.press("enter", "enter", "enter")
        assert "┌ Story" not in stage.text

    assert on_stage(script, look).port.said == []


@pytest.mark.issue(14)
def test_a_key_that_is_held_down_answers_nothing_behind_the_story() -> None:
    """The question accepts a key only after a pause in key presses."""
    script = asked()

    async def look(stage: OnStage) -> None:
        tell(script, "story/letter")
        await stage.arrive(script)
        for _ in range(50):
            stage.time += 0.05
            await stage.press("enter")
        assert "┌ Story" not in stage.text
        assert stage.port.said == []
        stage.time += 1
        await stage.press("enter")

    assert on_stage(script, look).port.said == [("answer", 0, ("1.1",))]


def test_a_key_that_was_on_its_way_closes_nothing() -> None:
    """The key was pressed before the box could be seen."""
    script = asked()

    async def look(stage: OnStage) -> None:
        tell(script, "story/letter")
        await stage.arrive(script)
        stage.time += 0.2
        await stage.press("enter", "escape", " ")
        assert LETTER in stage.text
        stage.time += 0.2
        await stage.press("enter")
        assert "┌ Story" not in stage.text

    assert on_stage(script, look).port.said == []


def test_what_comes_while_it_is_open_is_added() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        tell(script, "story/letter")
        await stage.arrive(script)
        tell(script, "epilogue")
        await stage.arrive(script)
        assert LETTER in stage.text
        assert "The gate is shut." in stage.text
        stage.time += 1
        await stage.press("enter")
        assert "┌ Story" not in stage.text

    on_stage(script, look, rows=40, columns=120)


def test_story_for_one_alone_is_marked_and_shown_to_nobody_else() -> None:
    script = asked()
    texts: list[str] = []

    async def look(stage: OnStage) -> None:
        tell(script, "story/letter", to=ADA)
        await stage.arrive(script)
        texts.append(stage.text)

    for seat in (0, 1, None):
        script = asked()
        on_stage(script, look, seat=seat)

    assert "┌ For your eyes alone ─" in texts[0]
    assert f"# For Ada Lorne alone: {LETTER}" in texts[0]
    for text in texts[1:]:
        assert "┌" not in text.split("Your choice")[-1].split("Waiting")[-1]
        assert "your own hand" not in text


def test_it_is_not_opened_for_who_catches_up() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        tell(script, "story/letter")
        stage.model.update_table(next_sequence=len(script.stored))
        await stage.arrive(script)
        assert "┌ Story" not in stage.text
        tell(script, "epilogue")
        await stage.arrive(script)
        assert "The gate is shut." in stage.text
        assert LETTER not in stage.text.split("┌ Story")[1].split("└")[0]

    on_stage(script, look)


def test_who_switched_it_off_reads_the_journal() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        stage.terminal.ui.desk.prefs = Preferences(story=False)
        tell(script, "story/letter")
        await stage.arrive(script)
        assert "┌ Story" not in stage.text
        assert LETTER[:20] in stage.text
        stage.terminal.ui.desk.prefs = Preferences()
        await stage.look()
        assert "┌ Story" not in stage.text

    on_stage(script, look)


def test_it_waits_for_who_types() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        await stage.press("c", "h")
        tell(script, "story/letter")
        await stage.arrive(script)
        assert "┌ Story" not in stage.text
        stage.time += 5
        await stage.press("i", "enter")
        assert "┌ Story" not in stage.text
        await stage.press("escape")
        assert "┌ Story" in stage.text

    assert on_stage(script, look).port.said == [("chat", "hi")]


def test_it_waits_for_another_box() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        await stage.press("o")
        tell(script, "story/letter")
        await stage.arrive(script)
        assert "┌ Story" not in stage.text
        await stage.press("enter")
        assert "┌ Story" in stage.text

    on_stage(script, look)


def test_a_vote_can_go_on_below() -> None:
    script = playing()
    tell(script, "story/letter")
    script.ask({0: action_question()}, about=Text("ask/action", (ADA, 2)))
    model = model_with(playing(), {"story/letter": LETTER})

    async def look(stage: OnStage) -> None:
        stage.stop_clock()
        await stage.arrive(script)
        await stage.press("enter")
        stage.time += 1
        await stage.press("enter")
        stage.time += 1
        await stage.press("down", "enter")

    assert play(model, look).port.said == [("answer", 0, ("1.2",))]


def test_chat_opens_nothing() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        script.emit(Chatted(1, hidden(b"hello")), origin=1)
        await stage.arrive(script)
        assert "┌" not in stage.text.split("Journal")[1]

    on_stage(script, look)


# Read again --------------------------------------------------------------------------------


def test_the_story_is_read_again_part_by_part() -> None:

    async def look(stage: OnStage) -> None:
        await stage.press("t")
        stage.time += 1
        assert "For your eyes alone - round 1 (4 of 4)" in stage.text
        await stage.press("left", "left", "left")
        assert "Story - before round 1 (1 of 4)" in stage.text
        await stage.press("left")
        assert "Story - before round 1 (1 of 4)" in stage.text
        await stage.press("right")
        assert "Objective: Close the sluice gate" in stage.text
        await stage.press("enter", "enter")
        assert "(4 of 4)" in stage.text
        await stage.press("enter")
        assert "of 4)" not in stage.text

    on_stage(asked(), look)


def test_before_anything_is_told_it_says_so() -> None:
    desk = _desk()
    box = StoryBox(desk, list, is_book=True)
    desk.open(box)

    canvas = Canvas(22, 80)
    box.draw(canvas.pane())

    assert "Nothing has been told yet." in canvas.plain()
    box.act(Action.BACK, "")
    assert desk.boxes == []


def test_in_a_replay_it_is_read_as_far_as_one_is() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        stage.stop_clock()
        await stage.press("t")
        assert "Nothing has been told yet." in stage.text
        stage.time += 1
        await stage.press("escape", "end")
        assert "┌ Story" not in stage.text
        await stage.press("t")
        assert "of 4)" in stage.text

    play(model_of(None), look, replay=script)


# Pages -------------------------------------------------------------------------------------


def _desk() -> Desk:
    model = ClientModel("Ann", b"", load("en"))
    return Desk(model, RecordingPort(), Journal(lambda: model.speaker), now=_ticking())


def _ticking() -> Callable[[], float]:
    seconds = iter(range(10**6))
    return lambda: float(next(seconds))


def _line(sequence: int, text: str, tone: Tone = Tone.STORY) -> JournalLine:
    return JournalLine(sequence, 0, 1, tone, text)


LONG = tuple(
    _line(sequence, f"Part {sequence} " + f"word{sequence} " * 60) for sequence in range(12)
)


def _read_through(box: StoryBox, rows: int, columns: int, *, most: int = 2000) -> list[str]:
    """Return every page of a box, read by turning pages until the box closes."""
    pages = []
    box.desk.open(box)
    for _ in range(most):
        canvas = Canvas(rows, columns)
        box.draw(canvas.pane())
        pages.append(canvas.plain())
        box.act(Action.GO_ON, "")
        if not box.desk.boxes:
            return pages
    raise AssertionError("the last page does not close")


@pytest.mark.parametrize("rows", [3, 8, 22, 58])
@pytest.mark.parametrize("columns", [20, 50, 80, 200])
def test_no_word_is_lost_between_pages(rows: int, columns: int) -> None:
    pages = _read_through(StoryBox(_desk(), lambda: parts_of(LONG)), rows, columns)

    assert sum(page.count("word7") for page in pages) == 60
    assert sum(page.count("Part ") for page in pages) == 12


@pytest.mark.issue(38)
@pytest.mark.parametrize("rows", range(12, 24))
def test_no_page_ends_a_part_with_a_line_by_itself(rows: int) -> None:
    """In a story of several pages, each page has at least three lines."""
    for count in range(150, 260, 7):
        told = functools.partial(parts_of, [_line(0, "word " * count)])
        pages = _read_through(StoryBox(_desk(), told), rows, 60)
        counts = [sum("word" in line for line in page.split("\n")) for page in pages]

        assert len(pages) == 1 or min(counts) >= 3
        assert sum(page.count("word") for page in pages) == count


def test_lines_are_no_longer_than_is_easy_to_read() -> None:
    (page, *_) = _read_through(StoryBox(_desk(), lambda: parts_of(LONG)), 40, 200)

    widths = [len(line.strip(" │")) for line in page.split("\n") if "word" in line]
    assert 60 <= max(widths) <= 72


def test_another_size_shows_the_same_place() -> None:
    box = StoryBox(_desk(), lambda: parts_of(LONG))
    for _ in range(4):
        box.draw(Canvas(22, 80).pane())
        box.act(Action.GO_ON, "")
    small = Canvas(22, 80)
    box.draw(small.pane())
    first = next(word for word in small.plain().split() if word.startswith("word"))

    for rows, columns in ((58, 200), (16, 50)):
        canvas = Canvas(rows, columns)
        box.draw(canvas.pane())
        assert first in canvas.plain()
    again = Canvas(22, 80)
    box.draw(again.pane())
    assert again.plain() == small.plain()


def test_a_part_is_all_that_one_event_told() -> None:
    lines = [
        _line(1, "One."),
        _line(1, "Two."),
        _line(2, "Something happened.", Tone.ACTION),
        _line(2, "For your eyes alone: three.", Tone.PRIVATE),
        _line(3, "Four."),
    ]

    assert [part.paragraphs for part in parts_of(lines)] == [
        ("One.", "Two."),
        ("For your eyes alone: three.",),
        ("Four.",),
    ]


# As they look ------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "language"), screens(SIZES))
def test_the_box_looks_as_accepted(size: tuple[int, int], language: str) -> None:
    rows, columns = size
    script = asked()
    model = model_of(script, language=language)

    async def look(stage: OnStage) -> None:
        tell(script, "story/prologue")
        tell(script, "story/whisper", to=ADA)
        await stage.arrive(script)
        same_screen(f"story-{columns}x{rows}-{language}", stage.text)

    play(model, look, rows=rows, columns=columns)


def test_the_story_has_its_help() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        tell(script, "story/letter")
        await stage.arrive(script)
        await stage.press("?")
        assert "Turn it page by page" in stage.text

    on_stage(script, look)
