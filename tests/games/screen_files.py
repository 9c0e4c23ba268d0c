"""Whole screens of a game, compared with a file beside the tests."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from client.locale import LANGUAGES
from client.screens.ui import Ui
from tests.games.second_edition.client.stage import ACCEPT


def look_as_accepted(
    path: Path,
    make: Callable[[str], Ui],
    sizes: Sequence[tuple[int, int]],
    keys: Sequence[str] = (),
) -> None:
    """
    Compare screens at several sizes and in both languages with a file, or write it.

    Args:
        path: the file.
        make: returns the screen in a language.
        sizes: rows and columns.
        keys: keys that are pressed before.
    """
    text = "\n".join(_lines(make, sizes, keys)) + "\n"
    if os.environ.get(ACCEPT):
        path.write_text(text, encoding="utf-8")

    assert text == path.read_text(encoding="utf-8"), f"accept it with {ACCEPT}=1"


def _lines(
    make: Callable[[str], Ui], sizes: Sequence[tuple[int, int]], keys: Sequence[str]
) -> Iterator[str]:
    for language in LANGUAGES:
        for rows, columns in sizes:
            ui = make(language)
            ui.draw(rows, columns)
            for key in keys:
                ui.press(key)
                ui.draw(rows, columns)
            yield f"=== {columns}x{rows} {language} ==="
            yield from (line.rstrip() for line in ui.draw(rows, columns).plain().split("\n"))
