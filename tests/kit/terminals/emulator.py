"""pyte's terminal emulator, made faster for plain text."""

import functools
import re
from typing import Any

import pyte
from pyte import modes
from pyte.screens import wcwidth

_SEQUENCE = re.compile(r"\x1b\[([0-9;]*)([HJKm])")
"""The sequences with which a screen is drawn, as `Stream` takes them."""


class Stream(pyte.Stream):
    """A stream that has the effects of pyte's, but draws each run of plain text at once."""

    def feed(self, data: str) -> None:
        """Process text with escape sequences."""
        done = 0
        for found in _SEQUENCE.finditer(data):
            if done < found.start():
                super().feed(data[done : found.start()])
            done = found.end()
            if self._taking_plain_text:
                numbers, letter = found.groups()
                getattr(self.listener, self.csi[letter])(*_numbers(numbers))
            else:
                # It came in the middle of another one.
                super().feed(found[0])
        if done < len(data):
            super().feed(data[done:])


class ByteStream(pyte.ByteStream, Stream):  # type: ignore[misc]  # as of pyte's
    """The fast stream, fed with bytes."""


@functools.lru_cache(maxsize=10_000)
def _numbers(text: str) -> list[int]:
    return [min(int(number or 0), 9999) for number in text.split(";")]


class Screen(pyte.Screen):
    """A screen equal to pyte's; characters that look the same share one object."""

    def draw(self, data: str) -> None:
        """Write text at the cursor; fast for plain narrow text within a line, else as pyte does."""
        cursor = self.cursor
        text = data.translate(self.g1_charset if self.charset else self.g0_charset)
        end = cursor.x + len(text)
        if end > self.columns or modes.IRM in self.mode or not _is_narrow(text):
            super().draw(data)
            return
        cells = _cells(cursor.attrs)
        self.buffer[cursor.y].update(
            zip(range(cursor.x, end), map(cells.__getitem__, text), strict=True)
        )
        cursor.x = end
        self.dirty.add(cursor.y)

    def select_graphic_rendition(self, *attrs: int) -> None:
        """Set the attributes of the following text; results are cached."""
        key = (self.cursor.attrs, self.default_char, attrs)
        if key not in _looks:
            super().select_graphic_rendition(*attrs)
            _looks[key] = self.cursor.attrs
        self.cursor.attrs = _looks[key]

    @property
    def display(self) -> list[str]:
        """The lines of the screen."""
        columns = range(self.columns)
        rows = map(self.buffer.__getitem__, range(self.lines))
        lines = ["".join([row[column].data for column in columns]) for row in rows]
        if all(map(_is_narrow, lines)):
            return lines
        shown: list[str] = super().display
        return shown


_looks: dict[tuple[Any, ...], Any] = {}
"""New attributes by old attributes, default attributes and the numbers of a sequence."""


class _Cells(dict[str, Any]):
    """A cache of characters with the current attributes."""

    def __init__(self, looks: Any) -> None:
        super().__init__()
        self.looks = looks

    def __missing__(self, char: str) -> Any:
        cell = self[char] = self.looks._replace(data=char)
        return cell


_cells = functools.cache(_Cells)


@functools.lru_cache(maxsize=20_000)
def _is_narrow(text: str) -> bool:
    """True if each character of a text takes one column."""
    return (text.isascii() and text.isprintable()) or all(wcwidth(char) == 1 for char in text)
