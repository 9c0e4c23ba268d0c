"""The box in which a player writes a preparation before a game, line by line."""

from collections.abc import Callable, Sequence
from functools import partial

import attrs

from client.keymap.keys import Action, Context
from client.plugs.preparation import Preparation, UnwritableLines, why_refused
from client.screens.base.boxes import Item, entry_lines, framed, inner_width
from client.screens.base.screen import CannotDo, Desk, TextEntry, number_under
from client.text.printable import wrap
from client.widgets.canvas import Pane, Spot, Styled
from client.widgets.pages import draw_list, draw_text
from protocol.common.padded import Padded
from protocol.common.table import Seat

_PAST_ANY_LINE = 10**6
"""More columns than any line has."""


@attrs.define(eq=False)
class PrepareBox:
    """An editor of lines. It shows the task, and why the rules refused the last lines sent."""

    desk: Desk
    preparation: Preparation | None
    """The preparation for the viewer's role; None if the game has none."""
    seat: Callable[[], Seat | None]
    """Returns the viewer's seat in its current state."""
    context: Context = attrs.field(default=Context.MENU, init=False)
    _lines: list[str] = attrs.field(init=False)
    _cursor: int = attrs.field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        """Begin with the lines that were sent before."""
        self._lines = list(self._sent())

    def _sent(self) -> tuple[str, ...]:
        seat = self.seat()
        if seat is None or self.preparation is None:
            return ()
        return self.preparation.sent(seat)

    def _items(self) -> list[Item]:
        """Return the possible steps: remove a line, write a line, or send all lines."""
        if self.preparation is None:
            return []
        say = self.desk.say
        items = [
            Item(say("prepare.remove", line), partial(self._lines.__delitem__, at))
            for at, line in enumerate(self._lines)
        ]
        if len(self._lines) < self.preparation.most_lines:
            ask = TextEntry("entry.prepare", self._add_line, "hint.prepare_line")
            items.append(Item(say("prepare.write"), lambda: setattr(self.desk, "entry", ask)))
        if tuple(self._lines) != self._sent():
            items.append(Item(say("prepare.send"), self._send))
        return items

    def _said(self) -> list[tuple[str, str]]:
        """Return the paragraphs above the lines: the task, and the result of the last sending."""
        desk, view = self.desk, self.desk.model.view
        if self.preparation is None or view is None:
            said = [
                ("", desk.say("prepare.no_face", "" if view is None else view.table.room.ruleset))
            ]
        else:
            asked = self.preparation.asked(desk.speaker, view.table.room)
            said = [("class:prompt", line) for line in asked]
        refused = desk.model.unfit_here
        if refused is not None:
            why = why_refused(desk.speaker, desk.model, refused)
            said += [("class:bar.wrong", line) for line in why]
        elif sent := self._sent():
            said.append(("class:dim", desk.say("prepare.sent", ", ".join(sent))))
        return said

    def draw(self, pane: Pane) -> None:
        """Draw the task, then the lines around the cursor."""
        items = self._items()
        self._cursor = max(0, min(self._cursor, len(items) - 1))
        width = inner_width(pane) - 2
        above: list[Styled] = [
            [(style, line)] for style, text in self._said() for line in wrap(text, width)
        ]
        # Wrapped on a narrow screen alone: elsewhere enough of a line is seen to know it by.
        columns = width if pane.is_narrow else _PAST_ANY_LINE
        entries = [
            entry_lines(item.text, columns, is_here=at == self._cursor)
            for at, item in enumerate(items)
        ]
        below = sum(map(len, entries))
        inner = framed(pane, self.desk, self.desk.say("box.prepare"), len(above) + below + 1)
        # A long task is cut, so that the lines stay in sight.
        shown = max(0, min(len(above), inner.rows - min(below, inner.rows) - 1))
        draw_text(inner.inner(0, 0, shown), above, 0)
        menu = inner.inner(shown + 1, 0)
        draw_list(menu, entries, self._cursor, 0)

    def click(self, spots: Sequence[Spot]) -> None:
        at = number_under(spots, "item")
        if at is not None:
            self._cursor = at
            self.act(Action.CHOOSE, "")

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self.act(Action.DOWN if by > 0 else Action.UP, "")

    def act(self, action: Action, key: str) -> None:
        items = self._items()
        if action is Action.BACK:
            self.desk.close()
        elif action in {Action.UP, Action.DOWN} and items:
            self._cursor = (self._cursor + (1 if action is Action.DOWN else -1)) % len(items)
        elif action is Action.CHOOSE:
            if not items:
                raise CannotDo("menu.empty")
            items[min(self._cursor, len(items) - 1)].run()
        else:
            raise CannotDo("wrong.key_here", key)

    def _add_line(self, text: str) -> None:
        if line := " ".join(text.split()):
            # What cannot be sent is said while the line can still be corrected.
            self._bytes_of([*self._lines, line])
            self._lines.append(line)
            # The cursor goes to the likely next step: another line, or sending them.
            self._cursor = len(self._lines)

    def _send(self) -> None:
        self.desk.port.prepare(Padded.of(self._bytes_of(self._lines)))

    def _bytes_of(self, lines: Sequence[str]) -> bytes:
        """Return lines as the bytes to send. Raise CannotDo for lines that cannot be sent."""
        assert self.preparation is not None
        try:
            return self.preparation.bytes_of(lines)
        except UnwritableLines as error:
            raise CannotDo(error.key, *error.params) from error

    def hints(self) -> frozenset[Action]:
        return frozenset({Action.CHOOSE, Action.BACK} if self._items() else {Action.BACK})
