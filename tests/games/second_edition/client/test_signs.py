"""Signs: each takes one terminal cell, and ASCII mode writes nothing but ASCII."""

import unicodedata
from collections.abc import Callable, Iterator

import pytest
from prompt_toolkit.utils import get_cwidth

from client.boards.walls import walls
from client.games.second_edition.panes.signs import ANYBODY, FEATURES, LYING, TOKENS
from client.games.second_edition.tellers.base import DICE
from client.games.second_edition.tellers.puzzles import PIECES
from client.journal.journal import Journal
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.appearance import Appearance
from client.settings.preferences import Charset
from client.text.printable import to_ascii
from client.widgets.canvas import Canvas
from protocol.boards.maps import PlacedTile
from protocol.common.events import Chatted
from protocol.event import hidden
from tests.games.second_edition.client.scripted import (
    HALL,
    STUDY,
    Script,
    agreeing,
    asked,
    coding,
    lobby,
    picturing,
    unlocking,
)
from tests.games.second_edition.client.stage import SIZES, RecordingPort, model_of
from tests.kit.every_run import half_of

PRINT = "’‘“”«»–—…"
"""Typographic signs: they occur in words only, and some terminals draw them two columns wide."""
SCRIPTS = (lobby, asked, agreeing, coding, picturing, unlocking)


def _is_narrow(char: str) -> bool:
    """True if the sign takes one cell in every common terminal."""
    is_line = "\u2500" <= char <= "\u257f"
    return get_cwidth(char) == 1 and (is_line or unicodedata.east_asian_width(char) not in "AWF")


def _frames(
    make: Callable[[], Script], language: str, charset: Charset, *keys: str
) -> Iterator[Canvas]:
    model = model_of(make(), language=language)
    journal = Journal(lambda: model.speaker)
    journal.begin(model.view)
    ui = Ui(Desk(model, RecordingPort(), journal, Appearance(charset)))
    for rows, columns in SIZES:
        for key in ("down", "z", *keys):
            ui.press(key)
            yield ui.draw(rows, columns)


def test_every_sign_takes_one_cell() -> None:
    signs = [*TOKENS.values(), *FEATURES.values(), ANYBODY, LYING, *PIECES]
    faces = "".join(DICE.values())

    assert all(len(sign) == 1 and sign.isascii() for sign in signs)
    assert faces.isascii()


@pytest.mark.parametrize("charset", Charset)
def test_every_line_takes_one_cell(charset: Charset) -> None:
    tiles = (
        PlacedTile("hall", 0, 0, HALL, (("a", "a"), ("b", "b"), ("c", "c"))),
        PlacedTile("study", 0, 29, STUDY, (("a", "d"), ("b", "e"), ("c", "f"))),
    )
    chars = {glyph.char for glyph in walls(tiles, (), charset).values()}
    chars |= {*charset.corners(), charset.rule(), charset.upright()}

    assert all(map(_is_narrow, chars))
    assert "".join(chars).isascii() == (charset is Charset.ASCII)


@pytest.mark.parametrize("make", SCRIPTS)
def test_whatever_is_no_letter_takes_one_cell(make: Callable[[], Script]) -> None:
    keys = ("?", "escape", "i", "escape", "o", "escape", "j", "escape", "m", "escape")
    shown = {
        char
        for canvas in _frames(make, "en", Charset.BOXES, *keys)
        for char in canvas.plain()
        if not char.isalnum() and not char.isspace()
    }

    assert {char for char in shown if not _is_narrow(char) and char not in PRINT} == set()


@pytest.mark.parametrize(("make", "language"), half_of(SCRIPTS, ("en", "fr")))
def test_in_ascii_there_is_nothing_else(make: Callable[[], Script], language: str) -> None:

    def with_strangers() -> Script:
        script = make()
        script.emit(Chatted(1, hidden("Ça, \u4f60\u597d: l’œil № 1…".encode())), origin=1)
        return script

    keys = ("?", "escape", "i", "escape", "o", "escape", "j", "escape")
    for canvas in _frames(with_strangers, language, Charset.ASCII, *keys):
        assert canvas.plain().isascii()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("l’été à Noël", "l'ete a Noel"),
        ("un cœur « gros »…", 'un coeur " gros "...'),
        ("\u4f60\u597d", "????"),
        ("Дом", "???"),
    ],
)
def test_letters_lose_their_marks_in_ascii(text: str, plain: str) -> None:
    """Letters without an ASCII form are replaced by the same number of cells."""
    assert to_ascii(text) == plain
