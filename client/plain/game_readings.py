"""Readings of a game that several games have in plain lines: the drawn board, and the cards."""

from collections.abc import Callable, Iterable, Sequence

import attrs

from client.boards.legend import coded_labels, line_legend, room_legend
from client.boards.map import Outlook, draw_map
from client.boards.viewport import Scroll
from client.plain.notes import notes_on
from client.plain.reading import characters
from client.plain.talk import PlayerPlace, Talk
from client.widgets.paragraphs import Row
from client.widgets.scene import Scene

DRAWN_COLUMNS = 79
"""The maximum number of columns of the drawn board; a board that cannot be made this small is
wider."""
MARKS = "*# "
"""Signs at the beginning of a line that show the line's kind on the full screen."""
_PLENTY = 1000
"""A number of rows larger than any board takes."""


def print_board(talk: Talk, scene: Scene, view: Outlook) -> None:
    """Draw the board with its legend."""
    shown = view.within(_PLENTY, DRAWN_COLUMNS)
    sheet = scene.sheet(shown.board.rows, shown.board.columns)
    draw_map(sheet.pane(), scene, shown, Scroll())
    talk.print(line.rstrip() for line in sheet.plain().split("\n"))
    entries = [
        *room_legend(coded_labels(scene, shown)),
        *shown.contents.figures,
        *(entry.line for entry in shown.contents.legend),
        *line_legend(scene),
    ]
    talk.print("".join(text for _, text in entry) for entry in entries)


@attrs.frozen
class CardReadings:
    """Cards, people and monsters of a game as lines; before the game, its characters."""

    rows: Callable[[Talk], Sequence[Row]]
    """Returns the rows that the boxes of the full screen list."""
    said: Callable[[Row], Iterable[str]]
    """Returns the lines of a row, the name first."""

    def read(self, talk: Talk, argument: str) -> None:
        """Print all, or only those that the argument names."""
        readings = self._readings(talk, has_heads=not argument)
        if argument:
            # Two of a kind are read once.
            readings = [one for at, one in enumerate(readings) if one not in readings[:at]]
            name = (names := list(self.names(talk)))[talk.which(argument, names)]
            readings = [one for one in readings if one[0] == name]
        for texts in readings:
            talk.print(texts)

    def names(self, talk: Talk) -> Iterable[str]:
        """Return the names by which they are asked for."""
        return dict.fromkeys(texts[0] for texts in self._readings(talk, has_heads=False))

    def _readings(self, talk: Talk, *, has_heads: bool) -> list[list[str]]:
        if talk.place is PlayerPlace.WAITING:
            return list(characters(talk))
        room_id = talk.view().room_id
        return [
            [*self.said(row), *notes_on(talk.speaker, talk.model.note_books, room_id, row.about)]
            for row in self.rows(talk)
            if has_heads or not row.is_head
        ]
