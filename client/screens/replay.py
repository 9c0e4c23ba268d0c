"""The replay: steps forward and back through an exported game."""

import bisect
from collections.abc import Sequence

import attrs

from client.journal.journal import JournalWriter
from client.keymap.keys import Action, Context
from client.locale.speaker import Speaker
from client.model.tables import TableStep, role_of
from client.plugs.face import GameFace, face_of
from client.screens import readings
from client.screens.map_box import SCROLLS, change_map_size
from client.screens.screen import CannotDo, Desk
from client.tellers.base import JournalLine
from client.widgets.canvas import Pane, Spot
from client.widgets.frame import Frame
from client.widgets.layout import Layout
from client.widgets.scene import Scene
from protocol.common.table import Table, fold
from protocol.event import Record


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
    """
    The positions at which a round begins, and both ends. A game that counts no rounds has those
    instead at which it came to rest.
    """

    def __attrs_post_init__(self) -> None:
        """Fold the game once, noting where its rounds begin."""
        self.stops.append(0)
        begun, rested = [0], [0]
        for at, record in enumerate(self.records, 1):
            before, after = self.tables[-1], fold(self.tables[-1], record)
            self.tables.append(after)
            if _round_of(after) > _round_of(before):
                begun.append(at)
            if max(after.checkpoints, default=0) > max(before.checkpoints, default=0):
                rested.append(at)
        self.rounds += begun if len(begun) > 1 else rested
        if self.rounds[-1] != len(self.records):
            self.rounds.append(len(self.records))

    @property
    def face(self) -> GameFace:
        """What the game brings to the screen, from the first record on."""
        return face_of(self.tables[-1].room.ruleset)

    @property
    def table(self) -> Table:
        """The table at this position."""
        return self.tables[self.position]

    @property
    def steps(self) -> int:
        """How many steps lead here from the beginning, once the journal is written."""
        return bisect.bisect_left(self.stops, self.position)

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
        writer = JournalWriter()
        self.stops = [0]
        for at, record in enumerate(self.records):
            step = TableStep(self.tables[at], record, self.tables[at + 1])
            told = list(writer.lines_of(step, speaker))
            lines += told
            if told or at + 1 == len(self.records):
                self.stops.append(at + 1)
        return lines


def _round_of(table: Table) -> int:
    """Return the round that is played; 0 where none is."""
    game = table.game
    return 0 if game is None else face_of(table.room.ruleset).moment(game).round_number


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
    _layout: Layout = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Lay out the game, and write the journal."""
        self._layout = self.replay.face.layout_for(self._role)
        self._write()

    @property
    def _role(self) -> str:
        """The role whose screen it is, from the first record on."""
        return role_of(self.replay.tables[-1], self.seat)

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
        place = self.desk.say("replay.place", replay.steps, len(replay.stops) - 1)
        last = [li.text for li in self.lines() if li.sequence == replay.position - 1]
        note = last or [self.desk.say("replay.begin" if not replay.position else "replay.quiet")]
        game = replay.table.game
        frame = Frame(
            scene=self.scene(),
            moment=None if game is None else replay.face.moment(game),
            journal=self.lines(),
            connection=place,
            is_away=False,
            title="pane.replay",
            note=note,
            map_size=self.desk.prefs.map,
        )
        self._layout.draw(pane, frame)

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
            self._layout.scroll(2 * by, 0)
        else:
            self.replay.step(by)

    def _read(self, action: Action, key: str) -> None:
        reader = readings.Reader(
            *(self.desk, self.context, self.replay.face, self._role, self._layout),
            *(self.scene, self.lines, list),
        )
        if not reader.has(action):
            raise CannotDo("wrong.key", key)
        if action in SCROLLS:
            self._layout.scroll(*SCROLLS[action])
        elif action is Action.MAP_SIZE:
            self._layout.let_go()
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
