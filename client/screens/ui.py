"""
The user interface: which screen is shown, where keys go, and the two lines at the bottom.

It knows no terminal: it is told of keys by name, and draws into panes.
"""

from collections.abc import Callable

import attrs

from client.keys import Action, Context, action_for, bindings_in, keys_of, name_of
from client.model import Bar
from client.screens.lobby import TablesScreen
from client.screens.room import RoomScreen
from client.screens.screen import CannotDo, Desk, Screen, hint_line
from client.screens.settings import settings_menu
from client.screens.waiting import WaitingScreen
from client.widgets.canvas import Canvas, Styled
from client.widgets.scene import Charset
from protocol.common.table import Stage


@attrs.define(eq=False)
class Ui:
    """Everything on the terminal."""

    desk: Desk
    fixed: Screen | None = None
    """A screen that is shown whatever the model says, such as a replay."""
    _tables: TablesScreen = attrs.field(init=False)
    _waiting: WaitingScreen = attrs.field(init=False)
    _room: RoomScreen = attrs.field(init=False)
    _shown: Screen | None = attrs.field(default=None, init=False)
    _followed: object = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        """Make the screens."""
        self._tables = TablesScreen(self.desk)
        self._waiting = WaitingScreen(self.desk)
        self._room = RoomScreen(self.desk)

    def base(self) -> Screen:
        """Return the screen below all boxes; what lay over another one is put away."""
        view = self.desk.model.view
        if view is not self._followed:
            # Another table: nothing that was pointed at there means anything here.
            self._followed = view
            self._waiting, self._room = WaitingScreen(self.desk), RoomScreen(self.desk)
        screen: Screen = self._tables
        if self.fixed is not None:
            screen = self.fixed
        elif view is not None:
            in_lobby = view.table.room.stage in {Stage.LOBBY, Stage.STARTING}
            screen = self._waiting if in_lobby else self._room
        if screen is not self._shown:
            self._shown = screen
            self.desk.boxes.clear()
        if screen is self._room:
            self._room.refresh()
        return screen

    def top(self) -> Screen:
        """Return what is to be read or answered first."""
        base = self.base()
        return self.desk.boxes[-1] if self.desk.boxes else base

    def context(self) -> Context:
        """Return where keys go."""
        top = self.top()
        return Context.ENTRY if self.desk.entry is not None else top.context

    def draw(self, rows: int, columns: int) -> Canvas:
        """Draw screen and boxes."""
        canvas = Canvas(rows, columns, is_ascii=self.desk.charset is Charset.ASCII)
        base = self.base()
        base.draw(canvas.pane())
        for box in self.desk.boxes:
            box.draw(canvas.pane())
        return canvas

    # Keys

    def press(self, key: str) -> None:
        """Take a key. One that means nothing is a line on the message bar, never an error."""
        action = action_for(self.context(), key)
        self._try(lambda: self._act(action, name_of(key, self.desk.model.locale)))

    def _act(self, action: Action | None, key: str) -> None:
        if action is None:
            raise CannotDo("wrong.key", key)
        if action is Action.QUIT:
            self.desk.quit()
        elif action is Action.SETTINGS:
            self.desk.open(settings_menu(self.desk))
        else:
            self.top().act(action, key)

    def paste(self, text: str) -> None:
        """Take text that was pasted where nobody types: an invitation, among the tables."""
        self._try(lambda: self._paste(text))

    def _paste(self, text: str) -> None:
        if self.top() is not self._tables:
            raise CannotDo("wrong.paste")
        self._tables.paste(text)

    def _try(self, do: Callable[[], None]) -> None:
        """Do something; where it makes no sense, a line on the message bar says why."""
        model = self.desk.model
        model.bar = Bar("")
        try:
            do()
        except CannotDo as problem:
            model.bar = Bar(self.desk.say(problem.key, *problem.params), is_wrong=True)
        model.changed()

    def enter(self, text: str) -> None:
        """Take the line that was typed; an empty one ends the typing."""
        entry = self.desk.entry
        if entry is None:
            return
        if not text.strip():
            self.desk.entry = None
            return
        try:
            entry.done(text)
        except CannotDo as problem:
            self.desk.model.tell(self.desk.say(problem.key, *problem.params), is_wrong=True)
            return
        if not entry.stays:
            self.desk.entry = None

    # The bottom

    def bar_line(self, columns: int) -> Styled:
        """Return the message bar."""
        bar = self.desk.model.bar
        canvas = Canvas(1, columns, is_ascii=self.desk.charset is Charset.ASCII)
        if bar.text:
            style = "class:bar.wrong" if bar.is_wrong else "class:bar"
            mark = "! " if bar.is_wrong else ""
            canvas.pane().write_clipped(0, 0, mark + bar.text, style)
        return canvas.line(0)

    def hints(self, columns: int) -> Styled:
        """Return the line of keys that make sense now."""
        context = self.context()
        is_typing = context is Context.ENTRY
        wanted = frozenset({Action.SEND, Action.BACK}) if is_typing else self.top().hints()
        entries: dict[Action, str] = {}
        for binding in bindings_in(context):
            if binding.action in wanted:
                entries.setdefault(
                    binding.action, keys_of(binding, self.desk.model.locale).split()[0]
                )
        shown = [(key, self.desk.say(f"hint.{action.value}")) for action, key in entries.items()]
        return hint_line(shown, columns)
