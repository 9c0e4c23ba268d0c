"""
Settings: how this client looks and behaves, and the settings of this table. Rule APP-13.

A change takes effect at once and is saved.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import attrs

from client.keymap.keys import Action, Context
from client.locale import LANGUAGES
from client.locale.speaker import Speaker
from client.screens.base.boxes import entry_lines, framed, inner_width
from client.screens.base.screen import CannotDo, Desk, Hinted, number_under, usual
from client.settings import table_settings
from client.settings.preferences import SETTINGS, Charset, Lines, NotKept, Setting, Theme, Value
from client.text.printable import width_of, wrap
from client.widgets.canvas import Pane, Spot
from client.widgets.pages import draw_list, draw_text
from protocol.common.table import RoomTable

_GAP = 2
"""Columns between a setting's name and its value."""


@attrs.frozen
class Switch:
    """One setting on the screen."""

    label: str
    value: str
    about: str
    """An explanation in one sentence."""
    turn: Callable[[int], None] | None = None
    """Changes the value to the next value, or with -1 to the previous one; None if the value is
    fixed."""


@attrs.define(eq=False)
class SettingsBox:
    """The list of all settings, with a cursor."""

    desk: Desk
    context: Context = attrs.field(default=Context.SETTINGS, init=False)
    _cursor: int = attrs.field(default=0, init=False)
    _top: int = attrs.field(default=0, init=False)

    def draw(self, pane: Pane) -> None:
        """Draw the settings around the cursor, and below them the text about the selected one."""
        width = inner_width(pane)
        switches = list(self._switches())
        self._cursor = min(self._cursor, len(switches) - 1)
        widest = max(width_of(one.label) for one in switches if one.value)
        entries = []
        for at, one in enumerate(switches):
            gap = " " * (widest + _GAP - width_of(one.label)) if one.value else ""
            said = f"{one.label}{gap}{one.value}"
            entries.append(entry_lines(said, width - 2, is_here=at == self._cursor))
        abouts = [wrap(one.about, width) for one in switches]
        # The box stays as it is while the cursor moves.
        below = 1 + max(map(len, abouts))
        rows = sum(map(len, entries)) + below
        inner = framed(pane, self.desk, self.desk.say("box.settings"), rows)
        upper = inner.inner(0, 0, max(1, inner.rows - below))
        self._top = draw_list(upper, entries, self._cursor, self._top)
        about = [[("class:dim", line)] for line in abouts[self._cursor]]
        draw_text(inner.inner(upper.rows + 1, 0), about, 0)

    def _switches(self) -> Iterator[Switch]:
        """Yield the player's own settings, then the settings of the table."""
        desk = self.desk
        wishes = desk.prefs
        # What the player prefers and this terminal cannot do.
        is_impossible = {
            "theme": wishes.theme is not Theme.PLAIN and not desk.appearance.has_colours,
            "lines": wishes.lines is Lines.BOXES and desk.charset is not Charset.BOXES,
        }
        for one in SETTINGS:
            if one.allowed:
                now = self._value(one)
                key = f"setting.{one.name}.{now}"
                if isinstance(now, bool):
                    key = f"setting.value.{'on' if now else 'off'}"
                elif one.name == "language":
                    key = f"language.{now}"
                value = desk.say(key)
                if is_impossible.get(one.name):
                    value = desk.say("settings.not_here", value)
                label, about = f"setting.{one.name}.label", f"setting.{one.name}"
                yield Switch(desk.say(label), value, desk.say(about), partial(self._turn, one))
        view = desk.model.view
        if view is not None:
            for line in table_lines(desk.speaker, view.table.room):
                yield Switch(line, "", desk.say("settings.of_table"))

    def _value(self, one: Setting) -> Value:
        # The environment may have chosen the language; what is spoken is what is set.
        desk = self.desk
        return desk.model.locale.language if one.name == "language" else one.value_in(desk.prefs)

    def _turn(self, one: Setting, by: int) -> None:
        """Change a preference to another of its values, and save the new value."""
        desk = self.desk
        values = LANGUAGES if one.name == "language" else one.allowed
        value = values[(values.index(self._value(one)) + by) % len(values)]
        desk.prefs = one.with_value(desk.prefs, value)
        if one.name == "language":
            desk.port.set_language(desk.prefs.language)
        try:
            desk.keep(one.name, value)
        except NotKept as problem:
            text = desk.say("settings.not_kept", problem.said(desk.model.locale))
            desk.model.tell(text, is_wrong=True)

    def act(self, action: Action, _key: str) -> None:
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


def table_lines(speaker: Speaker, room: RoomTable) -> Iterator[str]:
    """Yield the settings that the host fixed when opening the table, one per line."""
    return table_settings.lines(speaker.locale, room.settings, room.ruleset)
