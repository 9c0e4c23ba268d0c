"""The list of the player's tables, unfinished games first."""

from collections.abc import Sequence
from functools import partial

import attrs

from client.keymap.keys import Action, Context
from client.model.lobby import sorted_tables
from client.model.model import Bar
from client.screens.base import boxes
from client.screens.base.head import draw_head
from client.screens.base.screen import CannotDo, Desk, Hinted, TextEntry, item_clicked, usual
from client.screens.lobby.found_games import find_games
from client.screens.lobby.opening import Draft, OpeningScreen
from client.screens.review.joining import join_listed
from client.screens.review.reviewing import review
from client.text.printable import width_of, wrap
from client.widgets.canvas import Pane, Spot, Styled
from client.widgets.moments import moment
from client.widgets.pages import draw_lines, draw_list
from protocol.bounds import MAX_PASSWORD
from protocol.common.table import Stage
from protocol.invitation import UnreadableInvitation, parse_code, parse_invitation
from protocol.messages import OpenTable, TableLine
from protocol.plain_text import clean


@attrs.define(eq=False)
class TablesScreen:
    """The screen with the player's tables, from which the player enters or opens a table."""

    desk: Desk
    context: Context = attrs.field(default=Context.TABLES, init=False)
    _cursor: int = attrs.field(default=0, init=False)
    _top: int = attrs.field(default=0, init=False)
    """The first visible row of a narrow list."""
    _asked: OpenTable | None = attrs.field(default=None, init=False)
    """
    The last table whose password was requested, so that a repeated request shows the password was
    wrong.
    """

    _draft: Draft = attrs.field(factory=Draft, init=False)
    """The settings that the player has chosen for the next table."""

    def lines(self) -> Sequence[TableLine]:
        """Return the tables in list order: unfinished first, within a stage the newest first."""
        return sorted_tables(self.desk.model.lobby.tables or ())

    def draw(self, pane: Pane) -> None:
        desk = self.desk
        body = draw_head(pane, desk, desk.say("tables.title", desk.model.name))
        lines = self.lines()
        self._cursor = max(0, min(self._cursor, len(lines) - 1))
        if not lines:
            key = "tables.loading" if desk.model.lobby.tables is None else "tables.none"
            for row, text in enumerate(wrap(desk.say(key), body.columns)):
                body.write(row, 0, text)
            return
        if pane.is_narrow:
            self._draw_narrow(body, lines)
            return
        body.write_clipped(0, 0, self._prompt(lines), "class:prompt")
        body.write_clipped(1, 0, self._review(), "class:prompt")
        rows = body.rows - 2
        top = max(0, self._cursor - rows + 1)
        for row, line in enumerate(lines[top : top + rows]):
            here = body.inner(2 + row, 0, 1)
            is_here = top + row == self._cursor
            style = "class:cursor" if is_here else "class:dim" if line.stage is Stage.OVER else ""
            cursor, last = ">" if is_here else " ", "*" if self._is_last(line) else " "
            when = self._when(line)
            room = here.inner(0, 0, 1, here.columns - width_of(when) - 2)
            room.write_clipped(0, 0, f"{cursor} {last} {self._entry(line)}", style)
            here.write_right(0, when, "class:dim")
            here.spot("item", str(top + row))

    def _prompt(self, lines: Sequence[TableLine]) -> str:
        has_last = any(map(self._is_last, lines))
        return self.desk.say("tables.choose_last" if has_last else "tables.choose")

    def _review(self) -> str:
        """Return a line that names the members of the first open review; empty if there is none."""
        reviews = self.desk.model.lobby.reviews
        return self.desk.say("tables.review", ", ".join(reviews[0].members)) if reviews else ""

    def _draw_narrow(self, pane: Pane, lines: Sequence[TableLine]) -> None:
        """Draw the list, with as many rows for each table as its entry needs."""
        said = [text for text in (self._prompt(lines), self._review()) if text]
        head = [line for text in said for line in wrap(text, pane.columns)]
        draw_lines(pane, [[("class:prompt", line)] for line in head])
        entries: list[list[Styled]] = []
        for at, line in enumerate(lines):
            here = at == self._cursor
            mark = "* " if self._is_last(line) else ""
            text = f"{mark}{self._entry(line)} {self._when(line)}"
            entry = boxes.entry_lines(text, pane.columns - 2, is_here=here)
            if line.stage is Stage.OVER and not here:
                entry = [[("class:dim", text) for _, text in styled] for styled in entry]
            entries.append(entry)
        self._top = draw_list(pane.inner(len(head), 0), entries, self._cursor, self._top)

    def refresh(self) -> None:
        """Prompt for the password that a new table requires, or ask to confirm a known setup."""
        desk = self.desk
        if code := desk.model.pending.code:
            # Cleared first, so that the box opens once.
            desk.model.update_pending(code="")
            desk.model.bar, desk.entry = Bar(""), None
            join = partial(desk.port.join_known, code)
            desk.open(boxes.Confirm(desk, "box.known_game", desk.say("join.known_game"), join))
        table = desk.model.pending.table
        if table is self._asked:
            return
        self._asked = table
        if table is not None:
            asked = table

            def open_with(password: str) -> None:
                typed = clean(password)
                if len(typed) > MAX_PASSWORD:
                    raise CannotDo("wrong.password")
                desk.port.open_table(asked.scenario, asked.settings, typed)

            desk.entry = TextEntry("entry.password", open_with, "hint.open_table")

    def _when(self, line: TableLine) -> str:
        desk = self.desk
        return moment(desk.model.locale, line.when, desk.wall()) if desk.wall is not None else ""

    def _entry(self, line: TableLine) -> str:
        """Return a table as a line: scenario, stage, players."""
        desk = self.desk
        stage = desk.say(f"stage.{line.stage.value}")
        if line.is_practice:
            stage = desk.say("practice.listed", stage)
        turn = f" {desk.say('tables.your_turn')}" if line.is_my_turn else ""
        return desk.say(
            "entry.line",
            desk.model.title_in_full(line.scenario),
            f"{stage}{turn} ({', '.join(line.names)})",
        )

    def _is_last(self, line: TableLine) -> bool:
        return line.room_id == self.desk.model.lobby.last_room

    def click(self, spots: Sequence[Spot]) -> None:
        """Go to the clicked table; a second click enters the table."""
        self._cursor, is_chosen = item_clicked(spots, self._cursor)
        if is_chosen:
            self.act(Action.CHOOSE, "")

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self._cursor += by

    def act(self, action: Action, key: str) -> None:
        desk, lines = self.desk, self.lines()
        match action:
            case Action.UP | Action.DOWN if lines:
                step = 1 if action is Action.DOWN else -1
                self._cursor = (self._cursor + step) % len(lines)
            case Action.CHOOSE if lines:
                desk.port.enter(lines[self._cursor].room_id)
            case Action.REVIEW if lines:
                review(desk, lines[self._cursor].room_id)
            case Action.NEW:
                desk.open(OpeningScreen(desk, draft=self._draft))
            case Action.JOIN:
                desk.entry = TextEntry("entry.invitation", self.paste, "hint.enter")
            case Action.REJOIN if desk.model.lobby.last_room:
                desk.port.enter(desk.model.lobby.last_room)
            case Action.REJOIN:
                raise CannotDo("wrong.no_last")
            case Action.GAMES:
                find_games(desk)
            case Action.TOGETHER:
                join_listed(desk)
            case Action.REFRESH:
                desk.port.list_tables()
            case Action.HELP:
                desk.open(boxes.help_box(desk, self.context))
            case Action.LEAVE:
                desk.quit()
            case _:
                raise CannotDo("wrong.key", key)

    def paste(self, text: str) -> None:
        """
        Redeem an invitation that was typed or pasted.

        Raise CannotDo if the text is no invitation.
        """
        is_watching = text.split()[:2] == ["manse", "watch"]
        try:
            # A whole line, or the code alone: this is the server that it must be for.
            code = parse_invitation(text).code if "/" in text else parse_code(text)
        except UnreadableInvitation as error:
            raise CannotDo("wrong.invitation", self.desk.model.locale.unreadable(error)) from error
        if is_watching:
            self.desk.port.watch(code)
        else:
            self.desk.port.join(code)

    def hints(self) -> Hinted:
        found = usual(Action.NEW, Action.JOIN, Action.HELP, Action.LEAVE)
        if self.lines():
            found |= {Action.CHOOSE: "hint.go_there", Action.REVIEW: ""}
        if self.desk.model.lobby.last_room:
            found[Action.REJOIN] = ""
        if self.desk.model.lobby.reviews:
            found[Action.TOGETHER] = ""
        return found
