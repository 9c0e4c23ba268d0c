"""Bits: lines of text made of parts. Each part may have a mouse target."""

import itertools
import operator
from collections.abc import Iterable, Sequence

import attrs

from client.text.printable import width_of, wrap
from client.widgets.canvas import Pane, Spot


@attrs.frozen
class Bit:
    """A styled piece of a line, with its mouse target if there is one."""

    text: str
    style: str = ""
    spot: Spot | None = None


Line = list[Bit]


def draw_bits(pane: Pane, lines: Sequence[Line]) -> None:
    """Draw lines from the top, and mark cuts of lines or of the list."""
    for row, line in enumerate(lines[: pane.rows]):
        pane.write_line(row, [(bit.style, bit.text) for bit in line])
        column = 0
        # Neighbours that mean the same are one target.
        for spot, bits in itertools.groupby(line, key=_spot_of):
            width = width_of_line(bits)
            if spot is not None:
                pane.spot(spot.kind, spot.value, row=row, column=column, rows=1, columns=width)
            column += width
    if len(lines) > pane.rows > 0:
        pane.write_right(pane.rows - 1, "v", "class:hint")


def wrapped(text: str, width: int, style: str = "", *, indent: int = 0) -> list[Line]:
    margin = " " * indent
    return [[Bit(margin + line, style)] for line in wrap(text, max(1, width - indent))]


_spot_of = operator.attrgetter("spot")


def width_of_line(line: Iterable[Bit]) -> int:
    return sum(width_of(bit.text) for bit in line)
