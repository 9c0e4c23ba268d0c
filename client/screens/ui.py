"""
The user interface: the current screen, the distribution of keys, and the two lines at the bottom.

This module knows no terminal: it receives keys by name, and draws on panes.
"""

from collections.abc import Callable, Mapping, Sequence

import attrs

from client.keymap.key_names import name_of, names_of
from client.keymap.keys import Action, Context
from client.model.model import Bar
from client.model.status import Disconnected
from client.screens import coaching
from client.screens.base.screen import (
    CannotDo,
    Desk,
    Hint,
    Screen,
    TextEntry,
    fitting_hints,
    usual,
)
from client.screens.lobby.tables import TablesScreen
from client.screens.lost import open_lost
from client.screens.settings import SettingsBox
from client.screens.table.room import RoomScreen
from client.screens.table.waiting import WaitingScreen
from client.screens.talk import Overheard
from client.settings.preferences import Charset
from client.text.printable import clip, printable, width_of, wrap
from client.widgets.canvas import NARROW, Canvas, Pane, Spot
from client.widgets.pages import draw_lines, draw_text
from client.widgets.status import banner, changes_in
from protocol.common.table import Stage

_MOST_BANNER = 3
_MOST_BAR = 3
"""The maximum number of lines for a long message, if the screen has room."""
_LEAST_TYPED = 12
"""Columns for the typed text beside its label."""
_LEAST_ROWS = 14
"""Minimum number of rows of the screen, without banner and message bar, in which a game can be
drawn."""
_RETRIES = frozenset({Action.RETRY, Action.REFRESH, Action.READY})
"""Actions that retry the connection while disconnected, each by its own key."""
BOTTOM_ROWS = 2
"""Rows below the screen: the message bar or the typed line, and the hints."""


@attrs.frozen
class Typed:
    """A line that is being typed."""

    text: str = ""
    cursor: int = 0
    """The number of characters before the cursor."""


@attrs.define(eq=False, repr=False)
class Ui:
    """The full-screen client without a terminal."""

    desk: Desk
    fixed: Screen | None = None
    """A screen shown in every state of the model, such as the replay of a file."""
    _tables: TablesScreen = attrs.field(init=False)
    _waiting: WaitingScreen = attrs.field(init=False)
    _room: RoomScreen = attrs.field(init=False)
    _shown: Screen | None = attrs.field(default=None, init=False)
    _followed: object = attrs.field(default=None, init=False)
    _overheard: Overheard = attrs.field(init=False)
    _canvas: Canvas | None = attrs.field(default=None, init=False)
    """The last frame. Clicks refer to its mouse targets."""
    _sent_by_line: frozenset[int] = attrs.field(default=frozenset(), init=False)
    """Serials of the requests of a typed line that stays open until the server has replied."""

    def __attrs_post_init__(self) -> None:
        self._tables = TablesScreen(self.desk)
        self._waiting = WaitingScreen(self.desk)
        self._room = RoomScreen(self.desk)
        self._overheard = Overheard(self.desk)

    def base(self) -> Screen:
        """
        Return the screen below all boxes.

        If the screen changes, close the boxes of the old screen.
        """
        self._close_line()
        view = self.desk.model.view
        if view is not self._followed:
            # Another table: cursors and scrolling of the last one mean nothing here.
            self._followed = view
            self._waiting, self._room = WaitingScreen(self.desk), RoomScreen(self.desk)
        screen: Screen = self._tables
        if self.fixed is not None:
            screen = self.fixed
        elif self.desk.aside is not None and not self.desk.model.is_practising:
            screen = self.desk.aside
        elif view is not None:
            in_lobby = view.table.room.stage in {Stage.LOBBY, Stage.STARTING}
            screen = self._waiting if in_lobby else self._room
        # Whatever the boxes were about went with the screen that they were opened over.
        if screen is not self._shown:
            self._shown = screen
            self.desk.boxes.clear()
        open_lost(self.desk)
        if screen is self._room:
            self._room.refresh()
        if screen is self._tables:
            self._tables.refresh()
        return screen

    def top(self) -> Screen:
        """Return the topmost box, or the screen."""
        base = self.base()
        return self.desk.boxes[-1] if self.desk.boxes else base

    def context(self) -> Context:
        """Return the context that receives the keys."""
        top = self.top()
        return Context.ENTRY if self.desk.entry is not None else top.context

    def draw(self, rows: int, columns: int, typed: Typed | None = None) -> Canvas:
        """Draw one frame: screen, boxes, and the two lines at the bottom."""
        # Rows are given from the bottom up: keys, message or typed line, lesson, talk; the screen
        # has the rest. So a long message never covers the question, it makes it scroll.
        canvas = Canvas(rows, columns, is_ascii=self.desk.charset is Charset.ASCII)
        self.desk.due = None
        base = self.base()
        if base is self._room:
            self._room.start_live_events()
        said = self._bar_lines(rows, columns)
        # BOTTOM_ROWS includes the first line of the message.
        free = rows - BOTTOM_ROWS - max(0, len(said) - 1)
        lesson = coaching.strip_lines(self.desk, self.context(), free, columns)
        strip = coaching.strip_rows(lesson)
        talk = self._overheard.lines(free - strip, columns)
        above = max(0, free - strip - len(talk))
        whole = canvas.pane().inner(0, 0, above)
        banner_rows = self._draw_banner(whole)
        upper = whole.inner(banner_rows, 0)
        if coaching.lies_over(free, columns):
            # A game that gave up these rows could not be drawn; boxes scroll, so they give them.
            base.draw(canvas.pane().inner(banner_rows, 0, free - banner_rows))
        else:
            base.draw(upper)
        for box in self.desk.boxes:
            # Everything below is out of reach, and a click beside the box closes it.
            upper.spot("outside")
            box.draw(upper)
        draw_text(canvas.pane().inner(above, 0, len(talk)), talk, 0)
        below = canvas.pane().inner(above + len(talk), 0, strip)
        below.fill()
        coaching.draw_strip(below, self.desk, lesson)
        bottom = canvas.pane().inner(max(0, free), 0)
        self._draw_bar(bottom, typed or Typed(), said)
        self._draw_hints(canvas.pane().inner(max(0, rows - 1), 0))
        self._canvas = canvas
        return canvas

    def _draw_banner(self, pane: Pane) -> int:
        """Draw a banner while the server is away; return the number of its rows."""
        model, desk = self.desk.model, self.desk
        if self.fixed is not None or model.is_online:
            return 0
        elapsed = desk.watch.status_for(model.status)
        due = changes_in(model.status, elapsed)
        if due is not None:
            desk.draw_again_in(due)
        # The banner takes no row that the question needs.
        lines = wrap(banner(model.locale, model.status, elapsed), pane.columns - 2)
        lines = lines[: min(_MOST_BANNER, max(0, pane.rows - _LEAST_ROWS))]
        pane.inner(0, 0, len(lines)).fill("class:status.away")
        for row, line in enumerate(lines):
            pane.write(row, 1, line, "class:status.away")
        return len(lines)

    def _bar_lines(self, rows: int, columns: int) -> list[str]:
        """Return the wrapped message bar, then the label of a typed line if it needs own lines.

        A message without room is cut.
        """
        bar, entry = self.desk.model.bar, self.desk.entry
        # The last line is for what is typed.
        below = [] if entry is None else [*self._label_lines(entry, columns), ""]
        # The banner says why there is no connection.
        is_said = bar.text and bar.text != getattr(self.desk.model.status, "reason", "")
        if not is_said:
            return below
        lines = wrap(("! " if bar.is_wrong else "") + bar.text, max(1, columns))
        most = max(1, min(_MOST_BAR, rows - _LEAST_ROWS - BOTTOM_ROWS))
        rest = (
            [clip(" ".join(lines[most - 1 :]), columns)] if len(lines) > most else lines[most - 1 :]
        )
        return [*lines[: most - 1], *rest, *below]

    def _label_lines(self, entry: TextEntry, columns: int) -> list[str]:
        """Return the label of a typed line in lines of its own; none if it fits before the line."""
        label = self.desk.say(entry.label)
        is_wide = columns < NARROW and width_of(label) + _LEAST_TYPED > columns
        return wrap(label, columns) if is_wide else []

    def _draw_bar(self, pane: Pane, typed: Typed, said: Sequence[str]) -> None:
        """Draw the message bar, or the line that is being typed."""
        entry = self.desk.entry
        style = "class:bar.wrong" if self.desk.model.bar.is_wrong else "class:bar"
        if entry is not None:
            labels = self._label_lines(entry, pane.columns)
            above = said[: len(said) - 1 - len(labels)]
            draw_lines(pane, [[(style, line)] for line in above])
            line = pane.inner(len(above), 0)
            draw_lines(line, [[("class:prompt", label)] for label in labels])
            label = "" if labels else self.desk.say(entry.label) + " "
            column = line.write(0, 0, label, "class:prompt")
            field = line.inner(len(labels), column, 1)
            before = printable(typed.text[: typed.cursor])
            # One column stays free for the cursor behind the last character.
            while before and width_of(before) >= field.columns:
                before = before[1:]
            column = field.write(0, 0, before)
            field.write(0, column, printable(typed.text[typed.cursor :]))
            if field.rows and field.columns:
                pane.canvas.cursor = (field.top, field.left + min(column, field.columns - 1))
            return
        for row, text in enumerate(said):
            pane.write(row, 0, text, style)

    def _draw_hints(self, pane: Pane) -> None:
        entry, wanted = self.desk.entry, self.top().hints()
        if entry is not None:
            wanted = {Action.SEND: entry.hint, Action.BACK: ""}
        elif self.desk.boxes and not pane.is_narrow and Action.CHAT in self.base().hints():
            # On a narrow line it would push away the keys of the box itself.
            labels = wanted if isinstance(wanted, Mapping) else usual(*wanted)
            wanted = {**labels, Action.CHAT: ""}
        found: dict[Action, Hint] = {}
        for binding in self.desk.keys.bindings_in(self.context()):
            if binding.action in wanted:
                own = wanted[binding.action] if isinstance(wanted, Mapping) else ""
                label = self.desk.say(own or f"hint.{binding.action.value}")
                shown = names_of(binding.keys, self.desk.model.locale).split()[0]
                found.setdefault(binding.action, (binding.keys[0], shown, label))
        # Where there is no help, a narrow line has what comes first and the way out.
        kept = 1 if pane.is_narrow and Action.HELP not in wanted else 2
        column = 0
        for key, shown, label in fitting_hints([*found.values()], pane.columns, kept):
            start = column
            column = pane.write(0, column, shown, "class:key")
            column = pane.write(0, column, f" {label}", "class:hint")
            pane.spot("key", key, column=start, columns=column - start)
            column += 2

    # The mouse

    def click(self, row: int, column: int) -> None:
        """Handle a click on a cell of the last frame. A click on no mouse target does nothing."""
        self.desk.touched = self.desk.now()
        spots = self._under(row, column)
        if spots and spots[0].kind == "key":
            self.press(spots[0].value)
        elif spots and spots[0].kind == "outside":
            self._try(lambda: self.top().act(Action.BACK, ""))
        elif spots:
            self._try(lambda: self.top().click(spots))

    def wheel(self, row: int, column: int, by: int) -> None:
        """Handle a turn of the wheel over a cell: forward by 1, or back by -1."""
        spots = self._under(row, column)
        if spots:
            self._try(lambda: self.top().wheel(spots, by))

    def _under(self, row: int, column: int) -> tuple[Spot, ...]:
        """Return the mouse targets under a cell, from the top down to the topmost box."""
        found = self._canvas.spots_at(row, column) if self._canvas is not None else ()
        end = next((at for at, spot in enumerate(found) if spot.kind == "outside"), len(found))
        # At least one, since a click outside the box closes it.
        return found[: max(1, end)]

    # Keys

    def press(self, key: str) -> None:
        """Handle a key. A key without a meaning is reported on the message bar, never an error."""
        self.desk.touched = self.desk.now()
        context = self.context()
        action = self.desk.keys.action_for(context, key)
        # "o" for "oui": the bindings know only the English letter.
        is_yes = context is Context.CONFIRM and key.lower() == self.desk.say("key.letter_yes")
        if action is None and is_yes:
            action = Action.YES
        self._try(lambda: self._act(action, name_of(key, self.desk.model.locale)))

    def _act(self, action: Action | None, key: str) -> None:
        if action is None:
            here = self.desk.keys.bindings_in(self.context())
            has_help = any(binding.action is Action.HELP for binding in here)
            raise CannotDo("wrong.key" if has_help else "wrong.key_here", key)
        if coaching.act(self.desk, action):
            return
        # Asked for before the screen's own meaning: "ready" cannot be sent while disconnected.
        if action in _RETRIES and isinstance(self.desk.model.status, Disconnected):
            self.desk.port.try_again()
        elif action is Action.RETRY:
            raise CannotDo("wrong.online")
        elif action is Action.QUIT:
            self.desk.quit()
        elif action is Action.SUSPEND:
            if self.desk.suspend is None:
                raise CannotDo("wrong.no_suspend")
            self.desk.suspend()
        elif action is Action.SETTINGS:
            self.desk.open(SettingsBox(self.desk))
        elif action is Action.CHAT:
            # Whatever box is open, one talks at the table.
            self.base().act(action, key)
        else:
            self.top().act(action, key)

    def paste(self, text: str) -> None:
        """Handle text pasted while no line is typed. The list of tables accepts an invitation."""

        def paste() -> None:
            if self.top() is not self._tables:
                raise CannotDo("wrong.paste")
            self._tables.paste(text)

        self._try(paste)

    def _try(self, do: Callable[[], None]) -> None:
        """Carry out an action. If it raises CannotDo, show the reason on the message bar."""
        model = self.desk.model
        # A message from before would look like the result of this key.
        model.bar = Bar("")
        try:
            do()
        except CannotDo as problem:
            text = self.desk.say(problem.key, *problem.params)
            model.bar = Bar(text, is_wrong=True, is_of_now=True)
        model.changed()

    def enter(self, text: str) -> bool:
        """
        Handle the typed line; return whether its text stays, to be corrected.

        An empty line ends the typing. A line that is sent to the server stays until the server has
        accepted it.
        """
        entry, model = self.desk.entry, self.desk.model
        # A second Enter must not send the line twice.
        if entry is None or self._sent_by_line:
            return entry is not None
        model.bar = Bar("")
        if not text.strip():
            self.desk.entry = None
            return False
        before = {*model.sent}
        try:
            entry.done(text)
        except CannotDo as problem:
            model.tell(self.desk.say(problem.key, *problem.params), is_wrong=True)
            return True
        if entry.stays:
            return False
        # The serials of the requests that this line has sent.
        self._sent_by_line = frozenset({*model.sent} - before)
        if not self._sent_by_line and entry is self.desk.entry:
            self.desk.entry = None
        return bool(self._sent_by_line)

    def cancel(self) -> None:
        """End the typing without sending the line."""
        self.desk.entry = None
        self._sent_by_line = frozenset()
        if self.desk.model.bar.is_wrong:
            self.desk.model.bar = Bar("")

    def _close_line(self) -> None:
        """Close the sent line once the server has replied, if the server did not refuse it."""
        model = self.desk.model
        if not self._sent_by_line or self._sent_by_line & {*model.sent}:
            return
        self._sent_by_line = frozenset()
        if not model.bar.is_wrong:
            self.desk.entry = None
