"""The scene: what every widget of a table needs to know about it."""

import enum
from collections.abc import Iterable

import attrs

from client.locale.speaker import Speaker
from client.widgets.canvas import Canvas
from protocol.common.asks import Choice, Point
from protocol.common.table import Table
from protocol.games.second_edition.table import Face, SecondEditionTable


class Charset(enum.Enum):
    """Which characters lines are drawn with."""

    BOXES = "boxes"
    ASCII = "ascii"

    def rule(self) -> str:
        """Return the character of a level rule."""
        return "-" if self is Charset.ASCII else "─"

    def corners(self) -> str:
        """Return the corners of a box: upper left, upper right, lower left, lower right."""
        return "++++" if self is Charset.ASCII else "┌┐└┘"

    def upright(self) -> str:
        """Return the character of an upright rule."""
        return "|" if self is Charset.ASCII else "│"


@attrs.frozen(eq=False)
class Scene:
    """A table with its viewer."""

    table: Table
    seat: int | None
    speaker: Speaker
    charset: Charset = Charset.BOXES
    lit: frozenset[Point] = frozenset()
    """What the choice under the cursor, and those that are picked, point at."""
    faces: tuple[Face, ...] = ()
    """The dice of the test as they are seen now, where some still fall; empty for as they lie."""
    falling: frozenset[int] = frozenset()
    """Positions of those that fall."""

    @property
    def game(self) -> SecondEditionTable | None:
        """The game on the table, if it is of a kind that can be drawn."""
        game = self.table.game
        return game if isinstance(game, SecondEditionTable) else None

    def sheet(self, rows: int, columns: int) -> Canvas:
        """Return an empty canvas to draw a part of the screen on."""
        return Canvas(rows, columns, is_ascii=self.charset is Charset.ASCII)

    def is_lit(self, kind: str, piece: str) -> bool:
        """Return whether something is pointed at."""
        return Point(kind, piece) in self.lit


def points_of(choices: Iterable[Choice]) -> frozenset[Point]:
    """Return all that some choices point at."""
    return frozenset(point for choice in choices for point in choice.points)
