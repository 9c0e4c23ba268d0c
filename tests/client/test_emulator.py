"""Our terminal emulator shows what pyte's shows, cell by cell."""

import random

import pyte
from pyte.screens import Char
from wcwidth import wcswidth

from tests.kit.terminals.emulator import ByteStream, Screen, Stream

WRITTEN = (
    "plain text",
    "café — ╭─╮ │",
    "e\u0301 a\u0308",
    "木の家",
    "\u200b\xad",
    "\x0e", "\x0f", "\x1b(0",
    "\r", "\n", "\b", "\t",
    "\x1b[4h", "\x1b[4l", "\x1b[?7l", "\x1b[?7h",
    "\x1b[2J", "\x1b[K", "\x1b[3;1H", "\x1b[2;38H", "\x1b[6;40H", "\x1b[2A",
    "\x1b[1m", "\x1b[0m", "\x1b[m", "\x1b[38;5;208;7m", "\x1b[31;44m", "\x1b[;41m",
    "\x1b", "\x1b[", "\x1b[3", "\x1b[?25l", "\x1b[>4;1m", "\x1b[99999;2H", "\x1b]2;title\x07",
    "x" * 55,
)  # fmt: skip
"""Texts of each kind, moves, modes and colours, as a terminal receives them."""


def test_whatever_is_written_every_cell_is_as_in_pyte() -> None:
    # GIVEN a terminal of each kind
    ours, theirs = Screen(40, 6), pyte.Screen(40, 6)
    mine, other = Stream(ours), pyte.Stream(theirs)
    draw = random.Random(1)
    seen = set[str]()
    for _ in range(2000):
        # WHEN both are written the same
        text = draw.choice(WRITTEN) + draw.choice(WRITTEN)
        middle = draw.randrange(len(text))
        for part in (text[:middle], text[middle:]):
            mine.feed(part)
            other.feed(part)

        # THEN they stand at the same place and show the same
        assert (ours.cursor.x, ours.cursor.y) == (theirs.cursor.x, theirs.cursor.y)
        cells = [[theirs.buffer[y][x] for x in range(40)] for y in range(6)]
        assert [[ours.buffer[y][x] for x in range(40)] for y in range(6)] == cells
        assert ours.dirty == theirs.dirty
        # pyte has no display where one half of a wide character was overwritten.
        if not any(map(_is_torn, cells)):
            assert ours.display == theirs.display
        seen.update(cell.data for line in cells for cell in line)

    # AND all kinds of text were there
    assert {"x", "╭", "é", "木", ""} <= seen


def test_bytes_are_shown_as_their_text() -> None:
    ours, theirs = Screen(40, 6), pyte.Screen(40, 6)
    mine, other = ByteStream(ours), pyte.ByteStream(theirs)
    data = "".join(WRITTEN).encode()

    for start in range(0, len(data), 7):
        mine.feed(data[start : start + 7])
        other.feed(data[start : start + 7])

    assert ours.display == theirs.display
    assert (ours.cursor.x, ours.cursor.y) == (theirs.cursor.x, theirs.cursor.y)


def _is_torn(cells: list[Char]) -> bool:
    """True if a wide character lacks its empty second half, or another cell has one."""
    wide = [wcswidth(cell.data) > 1 for cell in cells]
    return [not cell.data for cell in cells[1:]] != wide[:-1] or not cells[0].data
