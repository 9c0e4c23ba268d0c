"""The scene: a table as one viewer sees it, in the form that widgets draw."""

import functools
from collections.abc import Iterable

import attrs

from client.locale.speaker import Speaker
from client.settings.preferences import Charset
from client.widgets.canvas import Canvas
from protocol.common.asks import Choice, Point
from protocol.common.table import Table

SPACE = "space"
"""The kind of a space of a board, in the points of choices and in mouse clicks."""


@attrs.frozen(eq=False)
class Scene:
    """A table as one viewer sees it."""

    table: Table
    seat: int | None
    speaker: Speaker
    charset: Charset = Charset.BOXES
    lit: frozenset[Point] = frozenset()
    """The pieces to which the picked choices and the choice under the cursor point."""

    def sheet(self, rows: int, columns: int) -> Canvas:
        """Return an empty canvas for drawing a part of the screen."""
        return Canvas(rows, columns, is_ascii=self.charset is Charset.ASCII)

    def is_lit(self, kind: str, piece: str) -> bool:
        """Return whether a piece is highlighted, because a choice points at it."""
        return (kind, piece) in self._lit_pieces

    @functools.cached_property
    def _lit_pieces(self) -> frozenset[tuple[str, str]]:
        return frozenset((point.kind, point.piece) for point in self.lit)


def points_of(choices: Iterable[Choice]) -> frozenset[Point]:
    """Return everything that these choices point at."""
    return frozenset(point for choice in choices for point in choice.points)
