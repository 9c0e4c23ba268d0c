"""The lobby: where this player has seats, unfinished games first, and what can be opened."""

from collections.abc import Sequence

import attrs

from client.keys import Action, Context
from client.screens import boxes
from client.screens.screen import CannotDo, Desk, Entry, number_under
from client.widgets.canvas import Pane, Spot
from client.widgets.pages import draw_rule
from client.widgets.printable import wrap
from protocol.common.table import Settings, Stage
from protocol.invitation import UnreadableInvitation, parse_code, parse_invitation
from protocol.messages import ScenarioLine, TableLine

_STAGES = (Stage.PLAYING, Stage.STARTING, Stage.LOBBY, Stage.OVER)
"""In the order in which tables are listed."""
TIME_LIMITS = (0, 60, 300, 3600, 86400)
"""Seconds that a question may wait, as they are offered; 0 for ever."""


def draw_head(pane: Pane, desk: Desk, title: str) -> Pane:
    """Draw the line at the top of a lobby screen; return what lies below."""
    bar = pane.inner(0, 0, 1)
    bar.fill("class:status")
    bar.write_clipped(0, 1, title, "class:status")
    style = "class:status" if desk.model.is_online else "class:status.away"
    bar.write_right(0, f" {desk.connection()} ", style)
    return pane.inner(2, 2, pane.rows - 2, pane.columns - 4)


@attrs.define(eq=False)
class TablesScreen:
    """The list of tables."""

    desk: Desk
    context: Context = attrs.field(default=Context.TABLES, init=False)
    _cursor: int = attrs.field(default=0, init=False)

    def lines(self) -> Sequence[TableLine]:
        """Return the tables as they are listed: unfinished first, the newest of each first."""
        known = self.desk.model.tables or ()
        return sorted(known, key=lambda line: (_STAGES.index(line.stage), -line.when))

    def draw(self, pane: Pane) -> None:
        """Draw the list."""
        desk = self.desk
        body = draw_head(pane, desk, desk.say("tables.title", desk.model.name))
        lines = self.lines()
        self._cursor = max(0, min(self._cursor, len(lines) - 1))
        if not lines:
            key = "tables.loading" if desk.model.tables is None else "tables.none"
            for row, text in enumerate(wrap(desk.say(key), body.columns)):
                body.write(row, 0, text)
            return
        body.write_clipped(0, 0, desk.say("tables.choose"), "class:prompt")
        rows = body.rows - 2
        top = max(0, self._cursor - rows + 1)
        for row, line in enumerate(lines[top : top + rows]):
            here = body.inner(2 + row, 0, 1)
            self._draw_table(here, line, is_here=top + row == self._cursor)
            here.spot("item", str(top + row))

    def _draw_table(self, pane: Pane, line: TableLine, *, is_here: bool) -> None:
        desk = self.desk
        style = "class:cursor" if is_here else "class:dim" if line.stage is Stage.OVER else ""
        known = desk.model.scenario(line.scenario)
        if known is not None:
            title = desk.speaker.text(known.title)
        else:
            title = desk.speaker.name("scenario", line.scenario)
        stage = desk.say(f"stage.{line.stage.value}")
        turn = desk.say("tables.your_turn") if line.is_my_turn else ""
        entry = desk.say("entry.line", title, f"{stage} ({', '.join(line.names)}) {turn}")
        text = f"{'>' if is_here else ' '} {entry}"
        pane.write_clipped(0, 0, text, style)

    def click(self, spots: Sequence[Spot]) -> None:
        """Go to the table that is clicked on; a second click enters it."""
        at = number_under(spots, "item")
        if at is not None and at == self._cursor:
            self.act(Action.CHOOSE, "")
        elif at is not None:
            self._cursor = at

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        """Move by one."""
        self._cursor += by

    def act(self, action: Action, key: str) -> None:
        """Do what a key means."""
        desk, lines = self.desk, self.lines()
        match action:
            case Action.UP | Action.DOWN if lines:
                step = 1 if action is Action.DOWN else -1
                self._cursor = (self._cursor + step) % len(lines)
            case Action.CHOOSE if lines:
                desk.port.enter(lines[self._cursor].room_id)
            case Action.NEW:
                desk.open(OpeningScreen(desk))
            case Action.JOIN:
                desk.entry = Entry("entry.invitation", self.paste)
            case Action.REFRESH:
                desk.port.list_tables()
            case Action.HELP:
                desk.open(boxes.help_box(desk, self.context))
            case Action.LEAVE:
                desk.quit()
            case _:
                raise CannotDo("wrong.key", key)

    def paste(self, text: str) -> None:
        """Redeem an invitation that was typed or pasted. CannotDo if it is none."""
        is_watching = text.split()[:2] == ["manse", "watch"]
        try:
            # A whole line, or the code alone: this is the server that it must be for.
            code = parse_invitation(text).code if "/" in text else parse_code(text)
        except UnreadableInvitation as error:
            raise CannotDo("wrong.invitation", str(error)) from error
        if is_watching:
            self.desk.port.watch(code)
        else:
            self.desk.port.join(code)

    def hints(self) -> frozenset[Action]:
        """Return what makes sense now."""
        always = {Action.NEW, Action.JOIN, Action.HELP, Action.LEAVE}
        return frozenset(always | ({Action.CHOOSE} if self.lines() else set()))


@attrs.define(eq=False)
class OpeningScreen:
    """What to open a table for, or what to play at one that is open."""

    desk: Desk
    is_changing: bool = False
    """Whether the table stands already and only the scenario is chosen."""
    context: Context = attrs.field(default=Context.OPENING, init=False)
    _cursor: int = attrs.field(default=0, init=False)
    _spectators: bool = attrs.field(default=False, init=False)
    _limit: int = attrs.field(default=0, init=False)

    def scenarios(self) -> Sequence[ScenarioLine]:
        """Return what can be played."""
        return self.desk.model.scenarios or ()

    def _rows(self) -> int:
        return len(self.scenarios()) + (0 if self.is_changing else 2)

    def draw(self, pane: Pane) -> None:
        """Draw scenarios, settings, and what the chosen scenario is about."""
        desk = self.desk
        pane.fill()
        body = draw_head(pane, desk, desk.say("opening.title"))
        body.write_clipped(0, 0, desk.say("opening.choose"), "class:prompt")
        scenarios = self.scenarios()
        for row, line in enumerate(scenarios):
            self._draw_row(body, 2 + row, row, self._scenario_text(line))
        row = 2 + len(scenarios)
        if not self.is_changing:
            self._draw_row(body, row + 1, len(scenarios), self._spectators_text())
            self._draw_row(body, row + 2, len(scenarios) + 1, self._limit_text())
            row += 4
        draw_rule(body, row, desk.say("opening.about"), desk.charset)
        chosen = scenarios[self._cursor] if self._cursor < len(scenarios) else None
        summary = desk.speaker.text(chosen.summary) if chosen else desk.say("opening.settings")
        about = body.inner(row + 1, 0)
        for at, text in enumerate(wrap(summary, about.columns)):
            about.write(at, 0, text)

    def _draw_row(self, body: Pane, row: int, at: int, text: str) -> None:
        here = at == self._cursor
        body.write_clipped(row, 0, f"{'>' if here else ' '} {text}", "class:cursor" if here else "")
        body.spot("item", str(at), row=row, rows=1)

    def click(self, spots: Sequence[Spot]) -> None:
        """Go to the row that is clicked on; a second click chooses it."""
        at = number_under(spots, "item")
        if at is not None and at == self._cursor:
            self.act(Action.CHOOSE, "")
        elif at is not None:
            self._cursor = at

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        """Move by one."""
        self.act(Action.DOWN if by > 0 else Action.UP, "")

    def _scenario_text(self, line: ScenarioLine) -> str:
        title = self.desk.speaker.text(line.title)
        players = (line.min_players, line.max_players)
        return self.desk.say("opening.scenario", title, line.minutes, line.difficulty, *players)

    def _spectators_text(self) -> str:
        return self.desk.say("opening.spectators_on" if self._spectators else "opening.spectators")

    def _limit_text(self) -> str:
        limit = TIME_LIMITS[self._limit]
        return self.desk.say("opening.limit", limit) if limit else self.desk.say("opening.no_limit")

    def act(self, action: Action, key: str) -> None:
        """Do what a key means."""
        match action:
            case Action.UP | Action.DOWN if self._rows():
                step = 1 if action is Action.DOWN else -1
                self._cursor = (self._cursor + step) % self._rows()
            case Action.BACK | Action.LEAVE:
                self.desk.close()
            case Action.HELP:
                self.desk.open(boxes.help_box(self.desk, self.context))
            case Action.CHOOSE | Action.MARK if self._cursor == len(self.scenarios()):
                self._spectators = not self._spectators
            case Action.CHOOSE | Action.MARK if self._cursor > len(self.scenarios()):
                self._limit = (self._limit + 1) % len(TIME_LIMITS)
            case Action.CHOOSE | Action.MARK if self.scenarios():
                self._open(self.scenarios()[self._cursor])
            case _:
                raise CannotDo("wrong.key", key)

    def _open(self, line: ScenarioLine) -> None:
        self.desk.close()
        if self.is_changing:
            self.desk.port.choose_scenario(line.scenario)
            return
        settings = Settings(
            spectators=self._spectators, time_limit_seconds=TIME_LIMITS[self._limit]
        )
        self.desk.port.open_table(line.scenario, settings)

    def hints(self) -> frozenset[Action]:
        """Return what makes sense now."""
        return frozenset({Action.CHOOSE, Action.MARK, Action.BACK})
