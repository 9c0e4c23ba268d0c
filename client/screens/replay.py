"""The replay: stepping forward and back through a game that was."""

import bisect
from collections.abc import Sequence

import attrs

from client.games.second_edition.panes.map import Scroll
from client.games.second_edition.panes.scene import Scene
from client.keymap.keys import Action, Context
from client.locale.speaker import Speaker
from client.model.journal import JournalLine, lines_of
from client.model.tables import Step
from client.screens import readings
from client.screens.map_box import SCROLLS, change_map_size
from client.screens.screen import CannotDo, Desk
from client.widgets.canvas import Pane, Spot
from client.widgets.frame import Frame, draw_frame
from client.widgets.steady import Steady
from protocol.common.table import Table, fold
from protocol.event import Record
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Phase


@attrs.define(eq=False)
class ReplayModel:
    """A game's records and where in them somebody stands."""

    records: Sequence[Record]
    position: int = 0
    """How many records lie behind."""
    tables: list[Table] = attrs.field(factory=lambda: [Table()], init=False)
    """The table before each record, and after the last; they share most of what they hold."""
    stops: list[int] = attrs.field(factory=list, init=False)
    """The positions that steps lead to, once the journal is written."""
    rounds: list[int] = attrs.field(factory=list, init=False)
    """The positions at which a round begins, and both ends."""

    def __attrs_post_init__(self) -> None:
        """Fold the game once, noting where its rounds begin."""
        self.stops.append(0)
        self.rounds.append(0)
        for at, record in enumerate(self.records, 1):
            self.tables.append(fold(self.tables[-1], record))
            if isinstance(record.event, se.PhaseBegan) and (
                record.event.phase is Phase.INVESTIGATOR
            ):
                self.rounds.append(at)
        if self.rounds[-1] != len(self.records):
            self.rounds.append(len(self.records))

    @property
    def table(self) -> Table:
        """The table at this position."""
        return self.tables[self.position]

    def step(self, by: int) -> bool:
        """Go to the next or previous stop; return whether there was one."""
        return self._go(self.stops, by)

    def leap(self, by: int) -> bool:
        """Go to the next or previous round; return whether there was one."""
        return self._go(self.rounds, by)

    def _go(self, places: list[int], by: int) -> bool:
        if by > 0:
            at = bisect.bisect_right(places, self.position)
        else:
            at = bisect.bisect_left(places, self.position) - 1
        if not 0 <= at < len(places):
            return False
        self.position = places[at]
        return True

    def journal(self, speaker: Speaker) -> list[JournalLine]:
        """Return the journal of the whole game, and stop wherever it has something to tell."""
        lines: list[JournalLine] = []
        self.stops = [0]
        for at, record in enumerate(self.records):
            told = list(lines_of(Step(self.tables[at], record, self.tables[at + 1]), speaker))
            lines += told
            if told or at + 1 == len(self.records):
                self.stops.append(at + 1)
        return lines


@attrs.define(eq=False)
class ReplayScreen:
    """A game that was, at one moment of it."""

    desk: Desk
    replay: ReplayModel
    seat: int | None = None
    """Whose cut it is; None for everybody's or nobody's."""
    context: Context = attrs.field(default=Context.REPLAY, init=False)
    _lines: list[JournalLine] = attrs.field(init=False)
    _language: str = attrs.field(default="", init=False)
    """What the journal is written in."""
    _scroll: Scroll = attrs.field(factory=Scroll, init=False)
    _steady: Steady = attrs.field(factory=Steady, init=False)

    def __attrs_post_init__(self) -> None:
        """Write the journal."""
        self._write()

    def _write(self) -> None:
        self._language = self.desk.model.locale.language
        self._lines = self.replay.journal(self.desk.speaker)

    def scene(self) -> Scene:
        """Return what the widgets draw."""
        return Scene(self.replay.table, self.seat, self.desk.speaker, self.desk.charset)

    def lines(self) -> list[JournalLine]:
        """Return the journal up to here."""
        if self._language != self.desk.model.locale.language:
            self._write()
        end = bisect.bisect_left(self._lines, self.replay.position, key=lambda li: li.sequence)
        return self._lines[:end]

    def draw(self, pane: Pane) -> None:
        """Draw the table at this moment, and what has just happened."""
        replay = self.replay
        place = self.desk.say("replay.place", replay.position, len(replay.records))
        last = [li.text for li in self.lines() if li.sequence == replay.position - 1]
        note = last or [self.desk.say("replay.begin" if not replay.position else "replay.quiet")]
        frame = Frame(
            scene=self.scene(),
            journal=self.lines(),
            connection=place,
            is_away=False,
            title="pane.replay",
            note=note,
            scroll=self._scroll,
            map_size=self.desk.prefs.map,
            steady=self._steady,
        )
        self._scroll = draw_frame(pane, frame).scroll

    def act(self, action: Action, key: str) -> None:
        """Do what a key means."""
        replay = self.replay
        moves = {
            Action.LEFT: lambda: replay.step(-1),
            Action.RIGHT: lambda: replay.step(1),
            Action.ROUND_BACK: lambda: replay.leap(-1),
            Action.ROUND_ON: lambda: replay.leap(1),
        }
        if action in moves:
            if not moves[action]():
                raise CannotDo("replay.end")
        elif action in {Action.FIRST, Action.LAST}:
            replay.position = 0 if action is Action.FIRST else len(replay.records)
        elif action is Action.LEAVE:
            self.desk.quit()
        else:
            self._read(action, key)

    def click(self, _: Sequence[Spot]) -> None:
        """Nothing can be chosen in what is over."""

    def wheel(self, spots: Sequence[Spot], by: int) -> None:
        """Move the map; anywhere else, go a step on or back."""
        if any(spot.kind == "map" for spot in spots):
            self._scroll = self._scroll.moved(2 * by, 0)
        else:
            self.replay.step(by)

    def _read(self, action: Action, key: str) -> None:
        reader = readings.Reader(self.desk, self.context, self.scene, self.lines, list)
        if action in SCROLLS:
            self._scroll = self._scroll.moved(*SCROLLS[action])
        elif action is Action.MAP_SIZE:
            self._scroll = self._scroll.let_go()
            change_map_size(self.desk)
        elif not reader.open(action):
            raise CannotDo("wrong.key", key)

    def hints(self) -> frozenset[Action]:
        """Return what makes sense now."""
        return frozenset(
            {
                *(Action.LEFT, Action.RIGHT, Action.ROUND_BACK, Action.ROUND_ON),
                *(Action.STORY, Action.CARDS, Action.JOURNAL, Action.HELP, Action.LEAVE),
            }
        )
