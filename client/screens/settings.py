"""
Settings: how this client looks and behaves, and the settings of this table. Rule APP-13.

A change takes effect at once and is saved.
"""

from collections.abc import Callable, Iterator, Sequence

import attrs

from client.keymap.keys import Action, Context
from client.locale import LANGUAGES
from client.locale.speaker import Speaker
from client.plugs.face import face_of
from client.screens.base.boxes import framed, inner_width
from client.screens.base.screen import CannotDo, Desk, Hinted, number_under, usual
from client.settings import table_settings
from client.settings.preferences import SETTINGS, Charset, Lines, NotKept, Setting, Theme, Value
from client.text.printable import width_of, wrap
from client.widgets.canvas import Pane, Spot, Styled
from client.widgets.pages import draw_text
from protocol.common.table import RoomTable

_GAP = 2
"""Columns between a setting's name and its value."""


@attrs.frozen
class Switch:
    """One setting on the screen."""

    label: str
    value: str
    about: str
    """Explanation, one sentence."""
    turn: Callable[[int], None] | None = None
    """Sets it to the next value, or with -1 to the one before; None for what cannot be changed."""


@attrs.define(eq=False)
class SettingsBox:
    """The list of all settings, one under the cursor."""

    desk: Desk
    context: Context = attrs.field(default=Context.SETTINGS, init=False)
    _cursor: int = attrs.field(default=0, init=False)
    _top: int = attrs.field(default=0, init=False)

    def draw(self, pane: Pane) -> None:
        """Draw the settings around the cursor, and below what the one there means."""
        width = inner_width(pane)
        switches = list(self._switches())
        self._cursor = min(self._cursor, len(switches) - 1)
        lines, numbers = self._lines(switches, width - 2)
        abouts = [wrap(one.about, width) for one in switches]
        # The box stays as it is while the cursor moves.
        below = 1 + max(map(len, abouts))
        inner = framed(pane, self.desk, self.desk.say("box.settings"), len(lines) + below)
        upper = inner.inner(0, 0, max(1, inner.rows - below))
        here = [row for row, at in enumerate(numbers) if at == self._cursor]
        self._top = max(min(self._top, here[0]), here[-1] + 1 - upper.rows)
        self._top = draw_text(upper, lines, self._top)
        for row, at in enumerate(numbers[self._top : self._top + upper.rows]):
            upper.spot("item", str(at), row=row, rows=1)
        about = [[("class:dim", line)] for line in abouts[self._cursor]]
        draw_text(inner.inner(upper.rows + 1, 0), about, 0)

    def _lines(self, switches: Sequence[Switch], width: int) -> tuple[list[Styled], list[int]]:
        """Return the lines of the list, and for each of them the number of its setting."""
        widest = max(width_of(one.label) for one in switches if one.value)
        lines: list[Styled] = []
        numbers: list[int] = []
        for at, one in enumerate(switches):
            gap = " " * (widest + _GAP - width_of(one.label)) if one.value else ""
            mark, style = (">", "class:cursor") if at == self._cursor else (" ", "")
            wrapped = wrap(f"{mark} {one.label}{gap}{one.value}", width, indent=4)
            lines += [[(style, line)] for line in wrapped]
            numbers += [at] * len(wrapped)
        return lines, numbers

    def _switches(self) -> Iterator[Switch]:
        """Yield what there is: this player's own settings first, then those of the table."""
        desk = self.desk
        for one in SETTINGS:
            if one.allowed:
                value = desk.say(_word(one, self._value(one)))
                if not _is_possible(desk, one):
                    value = desk.say("settings.not_here", value)
                label, about = f"setting.{one.name}.label", f"setting.{one.name}"
                yield Switch(desk.say(label), value, desk.say(about), self._turning(one))
        view = desk.model.view
        if view is not None:
            for line in table_lines(desk.speaker, view.table.room):
                yield Switch(line, "", desk.say("settings.of_table"))

    def _value(self, one: Setting) -> Value:
        # The environment may have chosen the language; what is spoken is what is set.
        desk = self.desk
        return desk.model.locale.language if one.name == "language" else one.of(desk.prefs)

    def _turning(self, one: Setting) -> Callable[[int], None]:
        def turn(by: int) -> None:
            values = LANGUAGES if one.name == "language" else one.allowed
            at = values.index(self._value(one))
            self._set(one, values[(at + by) % len(values)])

        return turn

    def _set(self, one: Setting, value: Value) -> None:
        """Set a preference and save it."""
        desk = self.desk
        desk.prefs = one.put(desk.prefs, value)
        if one.name == "language":
            desk.port.set_language(desk.prefs.language)
        try:
            desk.keep(one.name, value)
        except NotKept as problem:
            text = desk.say("settings.not_kept", problem.said(desk.model.locale))
            desk.model.tell(text, is_wrong=True)

    def act(self, action: Action, _key: str) -> None:
        """Move, change what the cursor is on, or close."""
        switches = list(self._switches())
        steps = {Action.CHOOSE: 1, Action.MORE: 1, Action.LESS: -1}
        if action is Action.BACK:
            self.desk.close()
        elif action in {Action.UP, Action.DOWN}:
            by = 1 if action is Action.DOWN else -1
            self._cursor = (self._cursor + by) % len(switches)
        elif action in steps:
            turn = switches[self._cursor].turn
            if turn is None:
                raise CannotDo("settings.of_table")
            turn(steps[action])

    def click(self, spots: Sequence[Spot]) -> None:
        """Change what is clicked on."""
        at = number_under(spots, "item")
        if at is not None:
            self._cursor = at
            self.act(Action.CHOOSE, "")

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self.act(Action.DOWN if by > 0 else Action.UP, "")

    def hints(self) -> Hinted:
        if list(self._switches())[self._cursor].turn is None:
            return usual(Action.BACK)
        return {Action.CHOOSE: "hint.more", **usual(Action.LESS, Action.MORE, Action.BACK)}


def _word(one: Setting, value: Value) -> str:
    """Return the catalog key of a value."""
    if isinstance(value, bool):
        return f"setting.value.{'on' if value else 'off'}"
    if one.name == "language":
        return f"language.{value}"
    return f"setting.{one.name}.{value}"


def _is_possible(desk: Desk, one: Setting) -> bool:
    """Whether this terminal can do what is wished for."""
    wishes = desk.prefs
    if one.name == "theme":
        return wishes.theme is Theme.PLAIN or desk.appearance.has_colours
    if one.name == "lines":
        return wishes.lines is not Lines.BOXES or desk.charset is Charset.BOXES
    return True


def table_lines(speaker: Speaker, room: RoomTable) -> Iterator[str]:
    """Yield what the host fixed when the table was opened, a line for each setting."""
    has_windows = face_of(room.ruleset).has_windows
    return table_settings.lines(speaker.locale, room.settings, has_windows=has_windows)
