"""
Makes untrusted text safe for a terminal; measures, clips and wraps it.

The result has no characters that move the cursor, change a colour, reverse the writing direction or
take an unknown number of cells.
"""

import functools
import re
import unicodedata
from collections.abc import Iterator

from wcwidth import wcwidth

from commands.signs import REPLACEMENT, plain_sign
from protocol.common.visible import INVISIBLE

MAX_MARKS = 2
"""The maximum number of combining marks on a letter. More marks would overlap the lines above."""
_KEPT = 8192
"""The size of the caches of texts."""
_BREAKS = re.compile(r"[^\S\u00a0\u202f]+")
"""Break points of lines: any space except no-break spaces."""


def one_line(words: bytes) -> str:
    """
    Decode a text of the log and put it on one line.

    A line break could make a text look like another player's line.
    """
    return " ".join(words.decode(errors="replace").split())


def printable(text: str) -> str:
    """Return one line in which every character is printable and of known width."""
    if text.isascii() and text.isprintable():
        return text
    return _measured(text)[0]


def measured(text: str) -> tuple[str, int, bool]:
    """Return printable text, its width, and whether each character takes exactly one cell."""
    if text.isascii() and text.isprintable():
        return text, len(text), True
    return _measured(text)


@functools.lru_cache(maxsize=_KEPT)
def _measured(text: str) -> tuple[str, int, bool]:
    shown = _made_printable(text)
    widths = [max(0, wcwidth(char)) for char in shown]
    return shown, sum(widths), all(width == 1 for width in widths)


def _made_printable(text: str) -> str:
    kept: list[str] = []
    marks = MAX_MARKS
    # Composed first: a letter with its mark is one character, as people typed it.
    for char in unicodedata.normalize("NFC", text):
        if char.isspace():
            kept.append(" ")
            marks = 0
        elif not char.isprintable():
            # Joiners and direction marks are dropped; controls are replaced visibly.
            if unicodedata.category(char) != "Cf":
                kept.append(REPLACEMENT)
                marks = 0
        elif wcwidth(char) <= 0:
            # Drop marks without a letter, and variation selectors, which change widths.
            is_mark = char not in INVISIBLE
            if kept and kept[-1] != " " and marks < MAX_MARKS and is_mark:
                kept.append(char)
                marks += 1
        else:
            # A filler is invisible but as wide as a letter.
            kept.append(REPLACEMENT if char in INVISIBLE else char)
            marks = 0
    return "".join(kept)


@functools.lru_cache(maxsize=_KEPT)
def to_ascii(text: str) -> str:
    """Return a text in ASCII: letters without marks, and substitutes for signs."""
    return "".join(plain_sign(char, width) for char, width in cells(text))


def cells(text: str) -> Iterator[tuple[str, int]]:
    """Yield the characters of printable text with their widths, marks joined to their letter."""
    held, width = "", 0
    for char in printable(text):
        wide = wcwidth(char)
        if wide <= 0:
            held += char
            continue
        if held:
            yield held, width
        held, width = char, wide
    if held:
        yield held, width


def width_of(text: str) -> int:
    if text.isascii() and text.isprintable():
        return len(text)
    return _measured(text)[1]


def clip(text: str, width: int) -> str:
    """Return a text clipped to a width in cells; `~` marks a cut."""
    shown, needed, _ = measured(text)
    if needed <= width:
        return shown
    return _head(shown, width - 1)[0] + "~" if width > 0 else ""


def wrap(text: str, width: int, *, indent: int = 0) -> list[str]:
    """
    Return a text wrapped to a width in cells, at spaces where possible.

    A word that is too long for a line is cut after a hyphen, if it has one there.

    Args:
        text: the text, whose line breaks are kept.
        width: the width, at least 1.
        indent: the number of spaces before every line except the first.
    """
    width = max(1, width)
    return [*_wrapped(text, width, indent if indent < width - 8 else 0)]


@functools.lru_cache(maxsize=_KEPT)
def _wrapped(text: str, width: int, indent: int) -> tuple[str, ...]:
    return tuple(
        line for paragraph in text.split("\n") for line in _wrap_line(paragraph, width, indent)
    )


def _wrap_line(text: str, width: int, indent: int) -> list[str]:
    shown, needed, _ = measured(text)
    if needed <= width:
        # Unchanged, columns made of spaces included.
        return [shown.rstrip()]
    margin = " " * min(len(shown) - len(shown.lstrip()), width // 2)
    lines, line, used = [], margin, len(margin)
    is_begun = False
    for word in map(printable, _BREAKS.split(text.strip())):
        rest, wide = word, width_of(word)
        while rest:
            gap = " " if is_begun else ""
            if used + len(gap) + wide <= width:
                line, used, rest = line + gap + rest, used + len(gap) + wide, ""
                is_begun = True
            elif is_begun:
                lines.append(line)
                line, used, is_begun = " " * indent, indent, False
            else:
                head, taken = _head(rest, max(width - used, 1))
                if (hyphen := head.rfind("-")) > 0:
                    head = head[: hyphen + 1]
                    taken = width_of(head)
                if not head and used:
                    # Beside the indent not even one character fits, so leave the indent out.
                    line, used = "", 0
                    continue
                if not head:
                    # A character wider than the line would never fit, so let it overflow.
                    head, taken = next(cells(rest))
                lines.append(line + head)
                rest, wide = rest[len(head) :], wide - taken
                line, used = " " * indent, indent
    return [*lines, line] if is_begun or not lines else lines


def _head(text: str, width: int) -> tuple[str, int]:
    """Return the longest prefix of a printable text that fits, and the width of the prefix."""
    shown, _, is_plain = measured(text)
    if is_plain:
        head = shown[: max(0, width)]
        return head, len(head)
    head, used = "", 0
    for char, wide in cells(shown):
        if used + wide > width:
            break
        head, used = head + char, used + wide
    return head, used
