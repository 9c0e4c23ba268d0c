"""
A list, and beside the list the text about the row under the cursor.

If there is no room for both, the list fills the box, and Enter opens the text over the list.
"""

from collections.abc import Callable, Sequence

import attrs

from client.keymap.keys import Action, Context
from client.screens.base.boxes import WHEEL_LINES, framed, inner_width, scrolled
from client.screens.base.screen import CannotDo, Desk, TextEntry, number_under
from client.screens.reading.notes import Notepad
from client.text.printable import width_of, wrap
from client.widgets.canvas import Pane, Spot, Styled
from client.widgets.pages import draw_text
from client.widgets.paragraphs import Row, filtered

WIDE = 100
"""The minimum width at which the list and the text are side by side."""
_WIDEST = 132
"""The maximum width of the box in columns."""
_LIST = (24, 44)
"""The minimum and maximum width of the list beside a text, in columns."""
_NARROW = 76
"""The maximum width of a list or a text that stands alone, in columns."""
_LONG = 12
"""Rows beyond which the bottom line names the key that filters the list."""
_GAP = 3
"""Columns between list and text."""


@attrs.define(eq=False)
class ReadingList:
    """A list and the texts about its rows."""

    desk: Desk
    title: str
    """The catalog key of the title."""
    rows: Callable[[], Sequence[Row]]
    """Returns the rows. Called for every frame, so the rows are always current."""
    empty: str
    """The catalog key of the words for an empty list."""
    notepad: Notepad
    context: Context = attrs.field(default=Context.SHELF, init=False)
    _key: str = attrs.field(default="", kw_only=True)
    """The key of the row under the cursor."""
    _at: int = attrs.field(default=0, init=False)
    """The index of the row under the cursor."""
    _wanted: str = attrs.field(default="", init=False)
    """The words by which the list is filtered; empty for all rows."""
    _side: int = attrs.field(default=0, init=False)
    _is_open: bool = attrs.field(default=False, init=False)
    """True while the text fills the whole box."""
    _top: int = attrs.field(default=0, init=False)
    """The first visible line of the list."""
    _first: int = attrs.field(default=0, init=False)
    """The first visible line of the text."""
    _page: int = attrs.field(default=10, init=False)
    _high: int = attrs.field(default=0, init=False)
    """The largest number of rows needed so far. The box grows but never shrinks while open."""

    def _shown(self) -> Sequence[Row]:
        return filtered(self.rows(), self._wanted) if self._wanted else self.rows()

    def _filter(self, wanted: str) -> None:
        if wanted.strip() and not filtered(self.rows(), wanted):
            raise CannotDo("wrong.no_hit", wanted)
        self._wanted = wanted.strip()

    # Drawing

    def draw(self, pane: Pane) -> None:
        rows = self._shown()
        here = self._find(rows)
        title, columns = self.desk.say(self.title), min(_NARROW, inner_width(pane))
        if self._wanted:
            title = f"{title}: {self._wanted}"
        if here is None:
            self._is_open = False
            empty = wrap(self.desk.say(self.empty), columns)
            inner = framed(pane, self.desk, title, len(empty), columns)
            draw_text(inner, [[("", line)] for line in empty], 0)
        elif self._is_open:
            lines = self._text(here, columns)
            self._draw_lines(framed(pane, self.desk, title, len(lines), columns), lines)
        elif pane.columns >= WIDE:
            # Only here the text follows the cursor; elsewhere Enter opens it.
            columns = min(_WIDEST, pane.columns - 8)
            widest = max(row.indent + width_of(row.text) + 3 for row in rows)
            left = max(_LIST[0], min(widest, _LIST[1]))
            lines = self._text(here, columns - left - _GAP)
            needed = self._grown(max(len(rows), len(lines)))
            inner = framed(pane, self.desk, title, needed, columns)
            self._draw_list(inner.inner(0, 0, None, left), rows)
            for row in range(inner.rows):
                inner.write(row, left + 1, self.desk.charset.upright(), "class:rule")
            self._draw_lines(inner.inner(0, left + _GAP), lines)
        else:
            inner = framed(pane, self.desk, title, self._grown(len(rows)), columns)
            self._draw_list(inner, rows)

    def _grown(self, rows: int) -> int:
        # A box that shrank with a shorter text would move the list under the reader's eyes.
        self._high = max(self._high, rows)
        return self._high

    def _text(self, row: Row, columns: int) -> list[Styled]:
        notes = self.notepad.notes_about(row.about) if row.about is not None else []
        shown = [*row.sides[self._side % len(row.sides)], *(("class:dim", one) for one in notes)]
        # Room at the right end for the marks that there is more.
        return [[(style, line)] for style, text in shown for line in wrap(text, columns - 2)]

    def _draw_lines(self, pane: Pane, lines: Sequence[Styled]) -> None:
        self._page = max(1, pane.rows - 1)
        self._first = draw_text(pane, lines, self._first)

    def _draw_list(self, pane: Pane, rows: Sequence[Row]) -> None:
        # The heading above the first thing under it stays in sight.
        self._top = max(min(self._top, self._at - 1), self._at - pane.rows + 1, 0)
        lines: list[Styled] = []
        for at, row in enumerate(rows):
            mark = ">" if at == self._at else " "
            style = "class:title" if row.is_head else "class:cursor" if at == self._at else ""
            lines.append([(style, f"{mark} {' ' * row.indent}{row.text}")])
        self._top = draw_text(pane, lines, self._top)
        for line in range(min(pane.rows, len(rows) - self._top)):
            pane.spot("item", str(self._top + line), row=line, rows=1)

    # The cursor

    def _find(self, rows: Sequence[Row]) -> Row | None:
        """Return the row under the cursor; None if the list is empty.

        If the row is gone, the cursor moves to the nearest row.
        """
        places = [at for at, row in enumerate(rows) if not row.is_head]
        if not places:
            return None
        same = (at for at in places if rows[at].key == self._key)
        near = min(places, key=lambda at: (abs(at - self._at), at))
        self._move_to(rows, next(same, near))
        return rows[self._at]

    def _move_to(self, rows: Sequence[Row], at: int) -> None:
        if rows[at].key != self._key:
            # Another thing is read from its front and from its beginning.
            self._side = self._first = 0
        self._key, self._at = rows[at].key, at

    def _move(self, by: int) -> None:
        rows = self._shown()
        if self._find(rows) is None:
            raise CannotDo(self.empty)
        places = [at for at, row in enumerate(rows) if not row.is_head]
        self._move_to(rows, places[(places.index(self._at) + by) % len(places)])

    def _move_to_end(self, *, is_last: bool) -> None:
        rows = self._shown()
        if self._find(rows) is None:
            raise CannotDo(self.empty)
        places = [at for at, row in enumerate(rows) if not row.is_head]
        self._move_to(rows, places[-1 if is_last else 0])

    # What keys and mouse do

    def act(self, action: Action, _key: str) -> None:
        """Move, open, show the other side, scroll, or close."""
        if action is Action.BACK and not self._is_open and self._wanted:
            self._wanted = ""
        elif action is Action.BACK and not self._is_open:
            self.desk.close()
        elif action is Action.NARROW:
            self._is_open = False
            self.desk.entry = TextEntry("entry.narrow", self._filter, "hint.narrow")
        elif action is Action.BACK or (action is Action.OPEN and self._is_open):
            self._is_open = False
        elif action is Action.OPEN:
            self._move(0)
            self._is_open, self._first = True, 0
        elif action in {Action.UP, Action.DOWN}:
            self._move(1 if action is Action.DOWN else -1)
        elif action in {Action.FIRST, Action.LAST} and not self._is_open:
            self._move_to_end(is_last=action is Action.LAST)
        elif action is Action.TURN:
            here = self._find(self._shown())
            if here is None:
                raise CannotDo(self.empty)
            if len(here.sides) < 2:
                raise CannotDo("wrong.one_side")
            self._side = (self._side + 1) % len(here.sides)
            self._first = 0
        elif action is Action.NOTES:
            here = self._find(self._shown())
            if here is None:
                raise CannotDo(self.empty)
            if here.about is None:
                raise CannotDo("notes.not_on_this")
            self.notepad.open(here.about)
        elif (first := scrolled(action, self._first, self._page)) is not None:
            self._first = first

    def click(self, spots: Sequence[Spot]) -> None:
        """
        Go to the clicked row; a second click opens it.

        A click on an open text closes the text.
        """
        if self._is_open:
            self._is_open = False
            return
        rows, at = self._shown(), number_under(spots, "item")
        if at is None or at >= len(rows) or rows[at].is_head:
            return
        if rows[at].key == self._key:
            self.act(Action.OPEN, "")
        else:
            self._move_to(rows, at)

    def wheel(self, spots: Sequence[Spot], by: int) -> None:
        """Move in the list, or scroll the text."""
        if number_under(spots, "item") is None:
            self._first = max(0, self._first + WHEEL_LINES * by)
        else:
            self._move(by)

    def hints(self) -> frozenset[Action]:
        here = self._find(self._shown())
        if here is None:
            return frozenset({Action.BACK})
        turning = {Action.TURN} if len(here.sides) > 1 else set()
        opening = set() if self._is_open else {Action.OPEN}
        noting = {Action.NOTES} if here.about is not None else set()
        # In a short list nobody needs it.
        filtering = {Action.NARROW} if self._wanted or len(self._shown()) > _LONG else set()
        return frozenset({Action.BACK, *opening, *turning, *noting, *filtering})
