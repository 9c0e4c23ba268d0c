"""Hostile text: only printable text reaches the terminal."""

import asyncio
import io
import itertools
from types import SimpleNamespace
from typing import Any, cast

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.data_structures import Size
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from client.locale.word_store import WordStore
from client.model.model import ANY_SEAT, ClientModel
from client.model.status import Disconnected, Online
from client.settings.preferences import Theme
from client.terminal.renderer import CanvasRenderer
from client.text.printable import clip, wrap
from client.widgets.canvas import NARROW, Canvas
from client.widgets.style import style_sheet
from protocol.common.events import MAX_CHAT, Chatted
from protocol.common.table import Settings
from protocol.event import hidden
from tests.games.second_edition.client import scripted, test_screens
from tests.games.second_edition.client.scripted import ROOM, Script, asked
from tests.games.second_edition.client.stage import (
    SIZES,
    TABLES,
    OnStage,
    model_of,
    play,
    style_of,
    text_of,
)
from tests.kit.every_run import half_of

HOSTILE = (
    "\x1b]0;owned\x07\x1b[2J",
    "a\u202egnp.exe",
    "z" + "\u0301" * 30,
    "\u4f60\u597d\u4e16\u754c" * 5,
    "\U0001f47b\ufe0f\u200d\U0001f480",
    "\u0007\b\b\b\r\n\x9b31m",
    "\u1100\u1161\u11a8\u0e33\u200b\u2028\u00ad",
)


# Frames stay where they are ----------------------------------------------------------------


@pytest.mark.parametrize(("size", "name"), half_of(SIZES, HOSTILE))
def test_hostile_text_cannot_break_the_screen(size: tuple[int, int], name: str) -> None:
    script = asked(("Ann", name[:40]))
    script.emit(Chatted(1, hidden((name * 9).encode())), origin=1)
    frames: list[list[int]] = []

    async def look(stage: OnStage) -> None:
        screen = stage.sink.screen
        rows, columns = screen.lines - 2, screen.columns
        bars = [
            column
            for column in range(columns)
            if all(screen.buffer[row][column].data == "│" for row in range(1, rows))
        ]
        frames.append(bars)

    rows, columns = size
    shown = play(model_of(script), look, rows=rows, columns=columns)
    play(model_of(asked()), look, rows=rows, columns=columns)

    assert frames[0] == frames[1]
    assert bool(frames[0]) is (columns >= NARROW)
    assert text_of(shown.raw).isprintable()
    assert "\u0301" * 3 not in shown.raw


# Every screen ------------------------------------------------------------------------------


def _hostile_words(store: WordStore) -> WordStore:
    """Return the same words with hostile text before and after each."""
    mean = itertools.cycle(HOSTILE)
    subjects = {
        subject: {field: next(mean) + text + next(mean) for field, text in words.items()}
        for subject in store.subjects()
        if (words := store.lookup(subject)) is not None
    }
    subjects["language"] = dict(store.lookup("language") or {})
    return WordStore(subjects, "en")


def _hostile_model(script: Script | None, seat: int | None) -> ClientModel:
    """Return the model of a player among hostile people on a hostile server."""
    model = model_of(script, seat=seat, is_lobby=script is None)
    model.words = _hostile_words(model.words)
    model.status = Online(HOSTILE[0], HOSTILE[2], HOSTILE[5], 0.012)
    model.set_codes(ROOM, {ANY_SEAT: HOSTILE[0]})
    model.address = HOSTILE[4]
    model.tell(HOSTILE[5] + HOSTILE[1], is_wrong=True)
    if model.lobby.tables is not None:
        model.update_lobby(
            tables=tuple(
                attrs.evolve(line, scenario=mean, names=(HOSTILE[3], "\u0e33" * 9))
                for line, mean in zip(TABLES, HOSTILE, strict=False)
            )
        )
    return model


@pytest.mark.parametrize(
    "size",
    [
        pytest.param((18, 34), id="34x18"),
        pytest.param((24, 80), id="80x24", marks=pytest.mark.long),
        pytest.param((60, 200), id="200x60"),
    ],
)
@pytest.mark.parametrize("case", test_screens.CASES, ids=[case.name for case in test_screens.CASES])
def test_no_screen_lets_it_through(
    case: test_screens._Case, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby = scripted.lobby

    def hostile_lobby(*_: object, settings: Settings | None = None) -> Script:
        script = lobby((HOSTILE[0] + HOSTILE[1], (HOSTILE[2] + HOSTILE[3])[:40]), settings=settings)
        for mean in HOSTILE:
            script.emit(Chatted(1, hidden((mean * 3).encode())), origin=1)
        return script

    monkeypatch.setattr(scripted, "lobby", hostile_lobby)
    # What is kept of a game would be hostile in the tests that follow, too.
    monkeypatch.setattr(scripted, "_played", scripted._played.__wrapped__)
    make = hostile_lobby if case.script is lobby else case.script
    script = make() if make is not None else None
    model = _hostile_model(None if case.is_replay else script, case.seat)

    async def look(stage: OnStage) -> None:
        await stage.press(*case.keys)
        model.status = Disconnected(9.0, HOSTILE[0] + HOSTILE[5])
        model.changed()
        await stage.settle()

    rows, columns = size
    shown = play(model, look, rows=rows, columns=columns, replay=script if case.is_replay else None)

    assert text_of(shown.raw).isprintable()


# Everything drawn on a canvas --------------------------------------------------------------


def _written(canvas: Canvas) -> str:
    """Return the output that the renderer writes for a canvas."""
    sink = io.StringIO()
    size = Size(canvas.rows, canvas.columns)
    output = Vt100_Output(sink, lambda: size, term="xterm-256color", enable_cpr=False)
    style = style_of(tuple(style_sheet(Theme.DARK).style_rules))
    renderer = CanvasRenderer(style, output, lambda *_: canvas, lambda _: None, mouse=False)
    # All that it wants of an application.
    application = cast("Any", SimpleNamespace(color_depth=ColorDepth.DEPTH_8_BIT))
    renderer.render(application, Layout(Window()))
    return sink.getvalue()


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-3, 30), st.text(max_size=60)), max_size=6),
    st.booleans(),
)
def test_whatever_is_drawn_is_printable_when_it_is_written(
    texts: list[tuple[int, int, str]], is_ascii: bool
) -> None:
    sheet, canvas = Canvas(4, 30), Canvas(4, 30, is_ascii=is_ascii)
    ways = itertools.cycle(range(6))
    pane = sheet.pane()
    for row, column, text in texts:
        match next(ways):
            case 0:
                pane.write(row, column, text, "class:cursor")
            case 1:
                pane.write_clipped(row, max(0, column), text)
            case 2:
                pane.write_right(row, text)
            case 3:
                pane.write_line(row, [("class:title", text), ("", text)], max(0, column))
            case 4:
                pane.write(row, column, wrap(text, 7)[-1])
            case _:
                pane.write(row, column, clip(text, 9))
    canvas.pane().inner(0, 1).lay(pane.inner(0, 3))

    for drawn in (sheet, canvas):
        rest = text_of(_written(drawn))
        assert rest.isprintable()
        assert "\x1b" not in rest


# Pasted ------------------------------------------------------------------------------------

PASTE = "\x1b[200~{}\x1b[201~"
LONG = "\x07\x9b2J\x00a\u202eb\r\n\tc" * 10_000
"""Text of more than 100 kB, hardly any of it harmless."""


async def _paste(stage: OnStage, text: str) -> None:
    """Paste in pieces, as a terminal does: a pipe holds no more."""
    code = PASTE.format(text)
    for start in range(0, len(code) - 9, 800):
        stage.keys.send_text(code[start : min(start + 800, len(code) - 9)])
        # So much is read in one turn of the loop.
        await asyncio.sleep(0)
    await stage.press_raw(code[-9:])


def test_a_large_paste_is_cut_and_cleaned() -> None:
    """Text typed before the paste stays, and the text that is sent equals the text that is seen."""

    async def paste(stage: OnStage) -> None:
        await stage.press("c", "h", "i", " ")
        await _paste(stage, LONG)
        assert "c2Jab c2Jab" in stage.text
        await stage.press("enter")

    shown = play(model_of(asked()), paste)

    ((_, said),) = shown.port.said
    assert said.startswith("hi 2Jab c")
    assert len(said) == MAX_CHAT - len(" ")
    assert said.isprintable()
    assert text_of(shown.raw).isprintable()


@pytest.mark.parametrize("is_lobby", [True, False])
def test_a_large_paste_elsewhere_does_nothing(is_lobby: bool) -> None:
    model = model_of(None if is_lobby else asked(), is_lobby=is_lobby)

    async def paste(stage: OnStage) -> None:
        await _paste(stage, LONG)
        assert "! " in stage.text

    shown = play(model, paste)

    assert not shown.port.said
    assert text_of(shown.raw).isprintable()
