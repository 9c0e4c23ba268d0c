"""
The screen on which a player opens a table, with its game, its scenario and its settings.

On a server of several games the player first chooses a game; the screen then has its scenarios and
settings alone.
"""

from collections.abc import Sequence

import attrs

from client.keymap.keys import Action, Context
from client.screens.base import boxes
from client.screens.base.head import draw_head
from client.screens.base.screen import CannotDo, Desk, Hinted, number_under, usual
from client.settings import table_settings
from client.settings.table_settings import TableSetting
from client.text.printable import clip, width_of, wrap
from client.widgets.canvas import Pane, Spot, Styled
from client.widgets.pages import draw_lines, draw_list, draw_rule, draw_text
from protocol.common.table import Settings
from protocol.messages import GameLine, ScenarioLine

_ABOUT_ROWS = 4
"""The minimum number of rows for the text about a scenario or a setting."""
_LEAST_LISTED = 4
"""The minimum number of rows for a list."""
_SETTING_COLUMNS = 39
"""Columns of the pane of settings beside the scenarios, wide enough for each setting in one
line."""
_GAP = 3
"""Columns between two columns of the list."""
_NUMBERS = frozenset({1})
"""The columns of the list that are right-aligned."""
_SHOWN = ((0, 1, 2, 3), (0, 1, 3), (0, 1), (0,))
"""Columns of the list to show, from the widest pane to the narrowest."""
Row = tuple[str, ...]
"""One scenario, column by column."""


@attrs.define
class Draft:
    """The choices for the next table, which survive closing the screen and a refusal."""

    settings: dict[str, Settings] = attrs.field(factory=dict)
    """Changed settings, by game."""
    game: int = 0
    """Index of the game under the cursor; clamped when the list is shorter."""


@attrs.define(eq=False)
class OpeningScreen:
    """The screen that opens a table, or chooses another scenario for a table before its game."""

    desk: Desk
    is_changing: bool = False
    """True if the table is open already, so that the player chooses only a scenario."""
    draft: Draft = attrs.field(factory=Draft)
    context: Context = attrs.field(default=Context.OPENING, init=False)
    _has_game: bool = attrs.field(default=False, init=False)
    """Whether the player has chosen a game on a server of several."""
    _scenario: int = attrs.field(default=0, init=False)
    """Index of the scenario under the cursor of its pane; clamped when the list is shorter."""
    _setting: int = attrs.field(default=0, init=False)
    """The setting under the cursor of its pane."""
    _is_setting: bool = attrs.field(default=False, init=False)
    """Whether the keys go to the pane of the settings."""
    _tops: list[int] = attrs.field(factory=lambda: [0, 0], init=False)
    """The first visible line of each pane."""

    def games(self) -> Sequence[GameLine]:
        """Return the games to choose from; none on a server of one game, or at an open table."""
        games = () if self.is_changing else self.desk.model.lobby.offered_games
        return games if len(games) > 1 else ()

    @property
    def _is_choosing_game(self) -> bool:
        return bool(self.games()) and not self._has_game

    def _game(self) -> GameLine | None:
        """Return the game under the cursor, which is the chosen one; None before the lists."""
        games = self.desk.model.lobby.offered_games
        return games[min(self.draft.game, len(games) - 1)] if games else None

    def scenarios(self) -> Sequence[ScenarioLine]:
        """Return the scenarios of the game; none until the server has listed them."""
        lobby, game = self.desk.model.lobby, self._game()
        if self.is_changing:
            return lobby.scenarios_of(self.desk.view.table.room.ruleset)
        return () if game is None else lobby.scenarios_of(game.ruleset)

    def settings(self) -> Sequence[TableSetting]:
        """Return the settings to choose; none for a table that is open already."""
        game = self._game()
        if self.is_changing or self._is_choosing_game or game is None:
            return ()
        return table_settings.offered(self._settings(game), game.has)

    def _settings(self, game: GameLine) -> Settings:
        return self.draft.settings.get(game.ruleset, game.settings)

    def _chosen(self) -> ScenarioLine | None:
        """Return the scenario to play; None until the server has listed any."""
        known = self.scenarios()
        return known[min(self._scenario, len(known) - 1)] if known else None

    def _selected(self) -> GameLine | ScenarioLine | TableSetting | None:
        """Return the entry under the cursor of the active pane."""
        if self._is_choosing_game:
            return self._game()
        settings = self.settings()
        if self._is_setting and settings:
            return settings[min(self._setting, len(settings) - 1)]
        return self._chosen()

    # What is seen

    def draw(self, pane: Pane) -> None:
        desk = self.desk
        pane.fill()
        key = "opening.change" if self.is_changing else "opening.title"
        body = draw_head(pane, desk, desk.say(key))
        prompt = wrap(desk.say(self._prompt()), body.columns)
        draw_lines(body, [[("class:prompt", line)] for line in prompt])
        # Air between the parts, where there is room for it.
        air = 0 if body.is_narrow else 1
        below = body.inner(len(prompt) + air, 0)
        about = [line for text in self._about() for line in wrap(text, body.columns)]
        # The text gives way to the lists, down to a few rows.
        kept = min(len(about), max(_ABOUT_ROWS, below.rows // 3))
        most = max(_LEAST_LISTED + 1, below.rows - 1 - air - kept)
        if body.is_narrow:
            used = self._draw_pane(below.inner(0, 0, most), is_setting=self._is_setting)
        else:
            used = self._draw_panes(below.inner(0, 0, most))
        draw_rule(below, used + air, desk.say("opening.about"), desk.charset)
        draw_text(below.inner(used + air + 1, 0), [[("", line)] for line in about], 0)

    def _draw_panes(self, pane: Pane) -> int:
        """Draw the scenarios and beside them the settings; return the rows used."""
        if not self.settings():
            return self._draw_pane(pane, is_setting=False)
        left = pane.columns - _SETTING_COLUMNS - 2
        return max(
            self._draw_pane(pane.inner(0, 0, pane.rows, left), is_setting=False),
            self._draw_pane(pane.inner(0, left + 2), is_setting=True),
        )

    def _draw_pane(self, pane: Pane, *, is_setting: bool) -> int:
        """Draw one list below its title; return the rows used."""
        desk, is_active = self.desk, is_setting is self._is_setting
        draw_rule(pane, 0, self._title(is_setting=is_setting), desk.charset)
        width, game = pane.columns - 2, self._game()
        if is_setting:
            chosen = Settings() if game is None else self._settings(game)
            said = [one.in_words(desk.model.locale, chosen) for one in self.settings()]
            cursor = min(self._setting, len(said) - 1)
        elif self._is_choosing_game:
            said = [desk.speaker.text(one.title) for one in self.games()]
            cursor = min(self.draft.game, len(said) - 1)
        else:
            said, cursor = (
                # Each entry begins with the mark of the cursor and a blank.
                self._scenario_rows(width - 2),
                min(self._scenario, len(self.scenarios()) - 1),
            )
        entries: list[list[Styled]] = []
        for at, text in enumerate(said):
            is_here = at == cursor
            entry = boxes.entry_lines(text, width, is_here=is_here and is_active)
            if is_here and not is_active and not is_setting:
                # The scenario that Enter plays, while the cursor is among the settings.
                entry = [[("class:prompt", f"*{line[0][1][1:]}")] for line in entry[:1]] + entry[1:]
            entries.append(entry)
        rows = min(pane.rows - 1, sum(map(len, entries)))
        top = self._tops[is_setting]
        listed = pane.inner(1, 0, rows)
        self._tops[is_setting] = draw_list(listed, entries, cursor, top)
        listed.spot("pane", str(int(is_setting)))
        return rows + 1

    def _title(self, *, is_setting: bool) -> str:
        """Return the title of a list; on a server of several games, scenarios have their game's."""
        game = self._game()
        if is_setting or game is None or not self.games():
            return self.desk.say("opening.settings" if is_setting else "opening.scenarios")
        return (
            self.desk.speaker.text(game.title) if self._has_game else self.desk.say("opening.games")
        )

    def _prompt(self) -> str:
        """Return the catalog key of the instruction for the active pane."""
        if self._is_choosing_game:
            return "opening.choose_game"
        if self.is_changing:
            return "opening.choose_other"
        return "opening.set" if self._is_setting else "opening.choose"

    def _scenario_rows(self, width: int) -> list[str]:
        """Return a line for each scenario, with as many columns as the width has room for."""
        say, rows = self.desk.say, list[Row]()
        for line in self.scenarios():
            few, many = line.roster.fewest, line.roster.most
            grade = say(f"opening.difficulty.{line.difficulty}")
            rows.append(
                (
                    self.desk.speaker.text(line.title),
                    say("opening.minutes", line.minutes),
                    say("opening.difficulty", line.difficulty, grade),
                    say("opening.seats", few, many),
                )
            )
        if not rows:
            return []
        widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
        shown = next((s for s in _SHOWN if _width(widths, s) <= width), _SHOWN[-1])
        # The title is clipped to what the other columns leave.
        widths[0] = max(8, min(widths[0], width - _width(widths, shown) + widths[0]))
        return [_in_columns(row, widths, shown) for row in rows]

    def _about(self) -> list[str]:
        """Return the text about the scenario or setting under the cursor."""
        desk, here = self.desk, self._selected()
        if here is None:
            return [desk.say("opening.none")]
        if isinstance(here, TableSetting):
            return [here.about(desk.model.locale)]
        if isinstance(here, GameLine):
            return [desk.speaker.text(here.summary)]
        title, roster = desk.speaker.text(here.title), here.roster
        rated = (here.minutes, here.difficulty, roster.fewest, roster.most)
        return [desk.say("opening.scenario", title, *rated), desk.speaker.text(here.summary)]

    # What keys do

    def click(self, spots: Sequence[Spot]) -> None:
        """Go to the clicked row; a second click on the scenario opens the table."""
        pane, at = number_under(spots, "pane"), number_under(spots, "item")
        if pane is None or at is None:
            return
        was, self._is_setting = self._is_setting, bool(pane)
        if self._is_choosing_game:
            before, self.draft.game = self.draft.game, at
            if before == at:
                self.act(Action.CHOOSE, "")
            return
        before = self._setting if pane else self._scenario
        if pane:
            self._setting = at
        else:
            self._scenario = at
        if was is bool(pane) and before == at:
            self.act(Action.MORE if pane else Action.CHOOSE, "")

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self.act(Action.DOWN if by > 0 else Action.UP, "")

    def _move(self, step: int) -> None:
        """Move the cursor of the active list; past either end, it continues at the other."""
        if self._is_choosing_game:
            count = len(self.games())
            self.draft.game = (min(self.draft.game, count - 1) + step) % count
        elif self._is_setting and (count := len(self.settings())):
            self._setting = (min(self._setting, count - 1) + step) % count
        elif count := len(self.scenarios()):
            self._scenario = (min(self._scenario, count - 1) + step) % count

    def act(self, action: Action, key: str) -> None:
        match action:
            case Action.UP | Action.DOWN:
                self._move(1 if action is Action.DOWN else -1)
            case Action.PANE if self.settings():
                self._is_setting = not self._is_setting
            case Action.BACK if self._has_game and self.games():
                self._has_game = self._is_setting = False
            case Action.BACK | Action.LEAVE:
                self.desk.close()
            case Action.HELP:
                self.desk.open(boxes.help_box(self.desk, self.context, list))
            case Action.CHOOSE | Action.MARK | Action.LESS | Action.MORE if self._is_setting or (
                action is not Action.CHOOSE and self.settings()
            ):
                here, game = self._selected(), self._game()
                if not isinstance(here, TableSetting) or game is None:
                    raise CannotDo("wrong.no_setting")
                by = -1 if action is Action.LESS else 1
                self.draft.settings[game.ruleset] = here.turned(self._settings(game), by)
            case Action.CHOOSE if self._is_choosing_game:
                self._has_game = True
                self._scenario = self._setting = 0
                self._tops = [0, 0]
            case Action.CHOOSE:
                chosen, game = self._chosen(), self._game()
                if chosen is None:
                    raise CannotDo("opening.none")
                self.desk.close()
                if self.is_changing or game is None:
                    self.desk.port.choose_scenario(chosen.scenario)
                else:
                    settings = table_settings.effective(self._settings(game))
                    self.desk.port.open_table(chosen.scenario, settings)
            case _:
                raise CannotDo("wrong.key", key)

    def hints(self) -> Hinted:
        found = usual(Action.HELP, Action.BACK)
        if self._is_choosing_game:
            return {Action.CHOOSE: "hint.choose", **found}
        if self._is_setting:
            found = {Action.CHOOSE: "hint.change", **found}
        elif self._chosen() is not None:
            label = "hint.play_it" if self.is_changing else "hint.open_table"
            found = {Action.CHOOSE: label, **found}
        if self.settings():
            found[Action.PANE] = "hint.pane_back" if self._is_setting else "hint.pane"
        return found


def _width(widths: Sequence[int], shown: Sequence[int]) -> int:
    """Return the number of cells that the shown columns of the list take, with the gaps."""
    return sum(widths[at] for at in shown) + _GAP * (len(shown) - 1)


def _in_columns(columns: Row, widths: Sequence[int], shown: Sequence[int]) -> str:
    """Return a row of the list, each shown column cut or filled to its width."""
    cells = []
    for at in shown:
        cell = clip(columns[at], widths[at])
        space = " " * (widths[at] - width_of(cell))
        cells.append(space + cell if at in _NUMBERS else cell + space)
    return (" " * _GAP).join(cells).rstrip()
