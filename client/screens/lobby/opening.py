"""The screen on which a player opens a table, with its scenario and its settings."""

from collections.abc import Sequence

import attrs

from client.keymap.keys import Action, Context
from client.plugs.face import face_of
from client.screens.base import boxes
from client.screens.base.head import draw_head
from client.screens.base.screen import CannotDo, Desk, Hinted, item_clicked, usual
from client.settings import table_settings
from client.settings.table_settings import TableSetting
from client.text.printable import clip, width_of, wrap
from client.widgets.canvas import Pane, Spot
from client.widgets.pages import draw_lines, draw_list, draw_marks, draw_rule, draw_text
from protocol.common.table import Settings
from protocol.messages import ScenarioLine

_ABOUT_ROWS = 4
"""The minimum number of rows for the text about a scenario or a setting."""
_LEAST_SCENARIOS = 3
"""The minimum number of listed scenarios."""
_LEAST_LISTED = 5
"""The minimum number of rows for the list on a narrow screen."""
_PARTS = 3
"""The number of parts with a blank row above: scenarios, settings, and the text."""
_GAP = 3
"""Columns between two columns of the list."""
_NUMBERS = frozenset({1})
"""The columns of the list that are right-aligned."""
Row = tuple[str, ...]
"""One scenario, column by column."""


@attrs.define(eq=False)
class OpeningScreen:
    """The choice of a scenario and settings for a new table, or of a scenario for an open table."""

    desk: Desk
    is_changing: bool = False
    """True if the table is open already, so that the player chooses only a scenario."""
    context: Context = attrs.field(default=Context.OPENING, init=False)
    _cursor: int = attrs.field(default=0, init=False)
    _top: int = attrs.field(default=0, init=False)
    """The first visible scenario; on a narrow screen, the first visible line of the list."""
    _settings: Settings = attrs.field(factory=Settings, init=False)

    def scenarios(self) -> Sequence[ScenarioLine]:
        """Return the scenarios that the server offers; none until it has listed them."""
        return self.desk.model.lobby.scenarios or ()

    def settings(self) -> Sequence[TableSetting]:
        """Return the settings to choose; none for a table that is open already."""
        if self.is_changing:
            return ()
        faces = [face_of(line.ruleset) for line in self.scenarios()]
        return table_settings.offered(
            self._settings,
            has_windows=any(face.has_windows for face in faces),
            has_proposals=any(face.has_proposals for face in faces),
        )

    def _rows(self) -> int:
        return len(self.scenarios()) + len(self.settings())

    def _selected(self) -> ScenarioLine | TableSetting | None:
        rows: tuple[ScenarioLine | TableSetting, ...] = (*self.scenarios(), *self.settings())
        return rows[self._cursor] if self._cursor < len(rows) else None

    # What is seen

    def draw(self, pane: Pane) -> None:
        desk = self.desk
        pane.fill()
        key = "opening.change" if self.is_changing else "opening.title"
        body = draw_head(pane, desk, desk.say(key))
        if pane.is_narrow:
            self._draw_narrow(body)
            return
        body.write_clipped(0, 0, desk.say(self._prompt()), "class:prompt")
        # The text about the entry gives way to at least three scenarios, the settings never do.
        about = wrap(self._about(), body.columns)
        settings = len(self.settings()) + 1 if self.settings() else 0
        most = body.rows - 2 - settings - 1 - max(_ABOUT_ROWS, len(about))
        shown = min(len(self.scenarios()), max(_LEAST_SCENARIOS, most))
        # Air between the parts, where there is room for it.
        air = 1 if most - shown >= _PARTS else 0
        row = 1 + air
        self._draw_scenarios(body.inner(row, 0, 1 + shown))
        row += 1 + shown + air
        if self.settings():
            part = body.inner(row, 0, settings)
            draw_rule(part, 0, desk.say("opening.settings"), desk.charset)
            for at, setting in enumerate(self.settings()):
                said = setting.in_words(desk.model.locale, self._settings)
                self._draw_row(part, 1 + at, len(self.scenarios()) + at, said)
            row += settings + air
        draw_rule(body, row, desk.say("opening.about"), desk.charset)
        below = body.inner(row + 1, 0)
        for at, text in enumerate(about):
            below.write(at, 0, text)

    def _draw_narrow(self, pane: Pane) -> None:
        """Draw scenarios and settings as one list around the cursor, and the text about one."""
        desk, here = self.desk, self._selected()
        prompt = wrap(desk.say(self._prompt()), pane.columns)
        draw_lines(pane, [[("class:prompt", line)] for line in prompt])
        about = [self._about()]
        if isinstance(here, ScenarioLine):
            title, roster = desk.speaker.text(here.title), here.roster
            rated = (here.minutes, here.difficulty, roster.fewest, roster.most)
            about.insert(0, desk.say("opening.scenario", title, *rated))
        lines = [line for text in about for line in wrap(text, pane.columns)]
        titles = [desk.speaker.text(line.title) for line in self.scenarios()]
        said = [one.in_words(desk.model.locale, self._settings) for one in self.settings()]
        entries = [
            boxes.entry_lines(text, pane.columns - 2, is_here=at == self._cursor)
            for at, text in enumerate([*titles, *said])
        ]
        room = pane.rows - len(prompt) - 1
        listed = min(sum(map(len, entries)), max(_LEAST_LISTED, room - len(lines)))
        self._top = draw_list(pane.inner(len(prompt), 0, listed), entries, self._cursor, self._top)
        below = pane.inner(len(prompt) + listed, 0)
        draw_rule(below, 0, desk.say("opening.about"), desk.charset)
        draw_text(below.inner(1, 0), [[("", line)] for line in lines], 0)

    def _prompt(self) -> str:
        """Return the catalog key of the instruction for the entry under the cursor."""
        if self.is_changing:
            return "opening.choose_other"
        return "opening.set" if isinstance(self._selected(), TableSetting) else "opening.choose"

    def _draw_scenarios(self, pane: Pane) -> None:
        """Draw the scenarios that fit, below the names of the columns."""
        say, rows = self.desk.say, list[Row]()
        for line in self.scenarios():
            few, many = line.roster.fewest, line.roster.most
            grade = say(f"opening.difficulty.{line.difficulty}")
            rows.append(
                (
                    self.desk.speaker.text(line.title),
                    say("opening.minutes", line.minutes),
                    say("opening.difficulty", line.difficulty, grade),
                    say("opening.players", few, many) if few != many else str(few),
                )
            )
        names = tuple(
            say(f"opening.column.{name}")
            for name in ("scenario", "minutes", "difficulty", "players")
        )
        widths = [max(map(width_of, column)) for column in zip(names, *rows, strict=True)]
        widths[0] = max(8, min(widths[0], pane.columns - 2 - sum(widths[1:]) - 3 * _GAP))
        pane.write_clipped(0, 2, _in_columns(names, widths), "class:dim")
        room = pane.rows - 1
        last = len(rows) - room
        at = min(self._cursor, len(rows) - 1)
        # The list moves no further than the cursor needs.
        self._top = max(0, min(max(min(self._top, at), at - room + 1), last))
        for row, columns in enumerate(rows[self._top : self._top + room]):
            self._draw_row(pane, row + 1, self._top + row, _in_columns(columns, widths))
        draw_marks(pane, ("^" if self._top else "") + ("v" if self._top < last else ""))

    def _draw_row(self, pane: Pane, row: int, at: int, text: str) -> None:
        here = at == self._cursor
        pane.write_clipped(row, 0, f"{'>' if here else ' '} {text}", "class:cursor" if here else "")
        pane.spot("item", str(at), row=row, rows=1)

    def _about(self) -> str:
        """Return the text about the scenario or setting under the cursor."""
        here = self._selected()
        if isinstance(here, ScenarioLine):
            return self.desk.speaker.text(here.summary)
        if here is None:
            return self.desk.say("opening.none")
        return here.about(self.desk.model.locale)

    # What keys do

    def click(self, spots: Sequence[Spot]) -> None:
        """Go to the clicked row; a second click chooses the entry."""
        self._cursor, is_chosen = item_clicked(spots, self._cursor)
        if is_chosen:
            self.act(Action.CHOOSE, "")

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self.act(Action.DOWN if by > 0 else Action.UP, "")

    def act(self, action: Action, key: str) -> None:
        match action:
            case Action.UP | Action.DOWN if self._rows():
                step = 1 if action is Action.DOWN else -1
                self._cursor = (self._cursor + step) % self._rows()
            case Action.BACK | Action.LEAVE:
                self.desk.close()
            case Action.HELP:
                self.desk.open(boxes.help_box(self.desk, self.context, list))
            case Action.CHOOSE | Action.MARK | Action.LESS | Action.MORE:
                here = self._selected()
                if isinstance(here, TableSetting):
                    self._settings = here.turned(self._settings, -1 if action is Action.LESS else 1)
                elif here is None or action in {Action.LESS, Action.MORE}:
                    raise CannotDo("wrong.key", key)
                else:
                    self.desk.close()
                    if self.is_changing:
                        self.desk.port.choose_scenario(here.scenario)
                    else:
                        self.desk.port.open_table(here.scenario, self._settings)
            case _:
                raise CannotDo("wrong.key", key)

    def hints(self) -> Hinted:
        leaving, here = usual(Action.HELP, Action.BACK), self._selected()
        if isinstance(here, TableSetting):
            return {Action.CHOOSE: "hint.more", **usual(Action.LESS, Action.MORE), **leaving}
        if here is None:
            return leaving
        return {
            Action.CHOOSE: "hint.play_it" if self.is_changing else "hint.open_table",
            **leaving,
        }


def _in_columns(columns: Row, widths: Sequence[int]) -> str:
    """Return a row of the list, each column cut or filled to its width."""
    cells = []
    for at, (text, width) in enumerate(zip(columns, widths, strict=True)):
        cell = clip(text, width)
        space = " " * (width - width_of(cell))
        cells.append(space + cell if at in _NUMBERS else cell + space)
    return (" " * _GAP).join(cells).rstrip()
