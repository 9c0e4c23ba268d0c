"""
Printable text: what strangers typed, made safe for a terminal, measured, cut and wrapped.

Nothing that moves a cursor, changes a colour, turns the direction of writing or takes an unknown
number of cells gets through.
"""

import functools
import re
import unicodedata
from collections.abc import Iterator

from prompt_toolkit.utils import get_cwidth

MAX_MARKS = 2
"""Combining marks that may stand on one letter; more would climb into the lines above."""
REPLACEMENT = "?"
"""Stands for what cannot be printed."""
ASCII_MARKS = str.maketrans("’‘“”«»–—", '\'\'""""--')
"""For a terminal with ASCII alone: the marks of print that have a plain sign beside them."""
_BREAKS = re.compile(r"[^\S\u00a0\u202f]+")
"""Where a line may be broken: at any space that does not say otherwise."""


@functools.lru_cache(maxsize=4096)
def printable(text: str) -> str:
    """Return one line of text with every character printable and of known width."""
    kept: list[str] = []
    marks = MAX_MARKS
    for char in unicodedata.normalize("NFC", text):
        if char.isspace():
            kept.append(" ")
            marks = 0
        elif not char.isprintable():
            # Joiners and direction marks are simply left out; controls are seen to be there.
            if unicodedata.category(char) != "Cf":
                kept.append(REPLACEMENT)
                marks = 0
        elif get_cwidth(char) <= 0:
            # A mark without a letter has nothing to stand on; variation selectors change widths.
            is_selector = "\ufe00" <= char <= "\ufe0f" or ord(char) >= 0xE0100
            if kept and kept[-1] != " " and marks < MAX_MARKS and not is_selector:
                kept.append(char)
                marks += 1
        else:
            kept.append(char)
            marks = 0
    return "".join(kept)


def cells(text: str) -> Iterator[tuple[str, int]]:
    """Yield the characters of printable text, marks joined to their letter, with their widths."""
    held, width = "", 0
    for char in printable(text):
        wide = get_cwidth(char)
        if wide <= 0:
            held += char
            continue
        if held:
            yield held, width
        held, width = char, wide
    if held:
        yield held, width


def width_of(text: str) -> int:
    """Return how many cells a text takes."""
    return sum(width for _, width in cells(text))


def clip(text: str, width: int) -> str:
    """Return a text cut to so many cells; what is cut off is marked by `~`."""
    if width_of(text) <= width:
        return printable(text)
    kept, used = "", 0
    for char, wide in cells(text):
        if used + wide > width - 1:
            break
        kept, used = kept + char, used + wide
    return kept + "~" if width > 0 else ""


def wrap(text: str, width: int, *, indent: int = 0) -> list[str]:
    """
    Return a text in lines of at most so many cells, broken at spaces where there are any.

    Args:
        text: its own line breaks are kept.
        width: at least 1.
        indent: of every line but the first.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += _wrap_line(paragraph, max(1, width), indent if indent < width - 8 else 0)
    return lines


def _wrap_line(text: str, width: int, indent: int) -> list[str]:
    if width_of(text) <= width:
        # As it stands, columns made of spaces included.
        return [printable(text).rstrip()]
    shown = printable(text)
    lines, line = [], " " * min(len(shown) - len(shown.lstrip()), width // 2)
    for word in map(printable, _BREAKS.split(text.strip())):
        rest = word
        while rest:
            gap = " " if line.strip() else ""
            if width_of(line + gap + rest) <= width:
                line, rest = line + gap + rest, ""
            elif line.strip():
                lines.append(line)
                line = " " * indent
            else:
                head = _head(rest, width - len(line))
                lines.append(line + head)
                line, rest = " " * indent, rest[len(head) :]
    return [*lines, line] if line.strip() or not lines else lines


def _head(word: str, width: int) -> str:
    """Return as much of a word as fits, and never nothing."""
    head, used = "", 0
    for char, wide in cells(word):
        if head and used + wide > width:
            break
        head, used = head + char, used + wide
    return head
