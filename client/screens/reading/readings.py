"""Opens the boxes for reading about a game, made from the current table."""

import itertools
from collections.abc import Callable, Sequence

import attrs

from client.keymap.keys import EVERY_GAME, Action, Context
from client.model.possible import impossible
from client.plugs.face import BoardReading, GameFace, ListReading, TextReading
from client.screens.base.boxes import TextBox, help_box
from client.screens.base.map_box import MapBox
from client.screens.base.screen import Desk
from client.screens.reading.journal_box import JournalBox
from client.screens.reading.notes import Notepad
from client.screens.reading.reading_list import ReadingList
from client.screens.reading.save_journal import save_journal
from client.screens.reading.story import book
from client.tellers.base import JournalLine
from client.widgets.canvas import Spot
from client.widgets.layout import Layout
from client.widgets.paragraphs import Paragraph
from client.widgets.scene import Scene


@attrs.frozen(eq=False)
class Reader:
    """The opener of all readings about the game on a screen."""

    desk: Desk
    context: Context
    face: GameFace
    role: str
    """The role to which the readings belong; empty for a spectator."""
    layout: Layout
    scene: Callable[[], Scene]
    lines: Callable[[], Sequence[JournalLine]]
    help_now: Callable[[], Sequence[Paragraph]]
    """Explanation of the current moment, shown in the help."""
    notepad: Notepad

    def open(self, action: Action) -> bool:
        """
        Open the box that an action means: a reading, the story, the journal or the help.

        Return False if the action means none of these.
        """
        desk = self.desk
        found = (one for one in self.face.readings_for(self.role) if one.action is action)
        match next(found, None):
            case ListReading() as reading:
                desk.open(self._list(reading))
            case TextReading() as reading:
                text = reading.text
                desk.open(TextBox(desk, reading.title, lambda: text(self.scene())))
            case BoardReading() as reading:
                desk.open(MapBox(desk, self.scene, reading.board()))
            case None if action is Action.STORY:
                desk.open(book(desk, self.lines))
            case None if action is Action.JOURNAL:
                desk.open(
                    JournalBox(
                        desk,
                        self.lines,
                        lambda: save_journal(desk, self.scene(), self.lines()),
                    )
                )
            case None if action is Action.HELP:
                absent = frozenset(one for one in desk.keys.actions if not self.has(one))
                desk.open(
                    help_box(
                        *(desk, self.context, self.help_now),
                        lambda: self.face.signs(self.scene()),
                        absent | impossible(desk.model),
                    )
                )
            case None:
                return False
        return True

    def open_about(self, spots: Sequence[Spot]) -> bool:
        """Open the list that has a clicked piece, with the cursor there; return False for none."""
        readings = [
            one for one in self.face.readings_for(self.role) if isinstance(one, ListReading)
        ]
        for spot, reading in itertools.product(spots, readings):
            rows = reading.rows(self.scene())
            keys = (row.key for row in rows if not row.is_head)
            # A row may be keyed by its owner and the piece; the piece stands last.
            key = next((one for one in keys if one.rpartition(" ")[2] == spot.value), None)
            if key is not None:
                self.desk.open(self._list(reading, key))
                return True
        return False

    def has(self, action: Action) -> bool:
        """Return whether an action opens a reading of this game, or belongs to its layout."""
        if action is Action.PASSES:
            return bool(self.scene().table.room.kinds)
        read = {reading.action for reading in self.face.readings_for(self.role)}
        return action in EVERY_GAME or action in self.layout.actions or action in read

    def _list(self, reading: ListReading, key: str = "") -> ReadingList:
        rows = reading.rows
        return ReadingList(
            *(self.desk, reading.title, lambda: rows(self.scene()), reading.empty, self.notepad),
            key=key,
        )
