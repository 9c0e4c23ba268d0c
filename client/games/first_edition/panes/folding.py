"""Lines of several parts that are wrapped between these."""

from collections.abc import Iterator
from itertools import zip_longest

from client.text.printable import width_of
from client.widgets.bits import Bit, Line


def folded(line: Line, width: int, indent: str) -> Iterator[Line]:
    """Wrap a line between its parts; a separator stays with the part before it."""
    shown: Line = []
    used = 0
    for bit, after in zip_longest(line, line[1:], fillvalue=Bit(",")):
        # The separator after a bit stays on its line.
        parts = width_of(after.text.rstrip()) if _is_between(after) else 1
        if used + width_of(bit.text) + parts > width and not _is_between(bit):
            yield shown
            shown, used = [Bit(indent)], len(indent)
        shown.append(bit)
        used += width_of(bit.text)
    yield shown


def _is_between(bit: Bit) -> bool:
    return not bit.text.strip(",;\N{NO-BREAK SPACE} ")
