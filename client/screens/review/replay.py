"""The replay of a game: steps forward and back, as seen from any seat."""

import bisect
from collections.abc import Callable, Sequence
from functools import partial

import attrs

from client.journal.replay_model import Moment, ReplayModel
from client.journal.together import Together
from client.keymap.keys import Action, Context
from client.model.tables import role_of
from client.model.viewpoints import Viewpoint
from client.screens.base.boxes import Item, Menu, TextBox
from client.screens.base.map_box import SCROLLS, change_map_size
from client.screens.base.screen import CannotDo, Desk, TextEntry
from client.screens.reading import readings
from client.screens.reading.notes import Notepad, notes_at
from client.screens.review.offered import offered
from client.screens.review.practising import ask_to_practise
from client.screens.review.replay_words import ReplayWords
from client.screens.review.review_table import ReviewTable
from client.screens.review.timeline_box import open_timeline
from client.settings.preferences import Charset
from client.tellers.base import JournalLine
from client.text.searching import find_all
from client.widgets.canvas import Pane, Spot
from client.widgets.frame import Frame
from client.widgets.layout import Layout
from client.widgets.scene import Scene
from protocol.common.hindsight import Hindsight

_SPEEDS = (0, 1, 2, 4)
"""Speeds in steps per second; 0 means paused."""
_BAR = 60
"""The maximum width of the time line in columns."""


@attrs.define(eq=False, repr=False)
class ReplayScreen:
    """The screen of a replay: a game at one moment of its log."""

    desk: Desk
    replay: ReplayModel
    leave: Callable[[], None] | None = None
    """Called when the player leaves; None ends the program."""
    reword: Callable[[], None] = lambda: None
    """Loads the words of the game in the current language."""
    opens_timeline: bool = False
    """Whether the first frame opens the timeline."""
    context: Context = attrs.field(default=Context.REPLAY, init=False)
    _lines: list[JournalLine] = attrs.field(init=False)
    _moments: list[Moment] = attrs.field(init=False)
    _language: str = attrs.field(default="", init=False)
    _known: Sequence[Hindsight] = attrs.field(default=(), init=False)
    """The hindsight that the journal tells."""
    _layout: Layout = attrs.field(init=False)
    _speed: int = attrs.field(default=0, init=False)
    _goes_on_at: float = attrs.field(default=0.0, init=False)
    """The time of the next step of a playing replay, by the desk's clock."""
    _together: ReviewTable = attrs.field(init=False)
    """The review of this game, if the viewer is in one."""
    _word: str = attrs.field(default="", init=False)
    """The last searched word."""

    def __attrs_post_init__(self) -> None:
        self.desk.model.replayed = self.replay.tables[-1].room.ruleset
        self._layout = self.replay.face.layout_for(self._role)
        lead = partial(self.desk.port.lead_review, self._room_id)
        together = Together(self.desk.model, self.replay, lead, self._look_from)
        self._together = ReviewTable(self.desk, self.replay, together)
        self._write()

    @property
    def seat(self) -> int | None:
        """The seat whose knowledge the replay shows; None for all secrets or a spectator's view."""
        return self.replay.point.seat

    @property
    def _role(self) -> str:
        """The role, at the last record, of the seat from which the game is seen."""
        return role_of(self.replay.tables[-1], self.seat)

    def _write(self) -> None:
        self._language, self._known = self.desk.model.locale.language, self.replay.hindsight
        self.reword()
        self._lines = self.replay.journal(self.desk.speaker)
        self._moments = self.replay.moments(self._lines)

    def scene(self) -> Scene:
        """Return the table in the form that widgets draw."""
        desk, lit = self.desk, self._together.lit()
        return Scene(self.replay.table, self.seat, desk.speaker, desk.charset, lit)

    def lines(self) -> list[JournalLine]:
        """Return the journal up to the current event."""
        # The journal is words, so another language means to write it again; so does hindsight.
        is_spoken = self._language == self.desk.model.locale.language
        if not is_spoken or self._known is not self.replay.hindsight:
            self._write()
        end = bisect.bisect_left(self._lines, self.replay.position, key=lambda li: li.sequence)
        return self._lines[:end]

    def _words(self) -> ReplayWords:
        return ReplayWords(self.replay, self.scene())

    # Drawing

    def draw(self, pane: Pane) -> None:
        """Draw the table at the current event, with notes on the event."""
        self._go_on()
        self._together.keep_up()
        if self.opens_timeline:
            # Not before: a new screen closes the boxes of the one before.
            self.opens_timeline = False
            self._open_timeline()
        replay = self.replay
        game = replay.table.game
        note = [self._time_line(max(1, min(_BAR, pane.columns // 2)))]
        if self.desk.model.is_awaited:
            note.append(self.desk.say("replay.awaited"))
        note += self._together.lines()
        note += notes_at(self.desk, self._room_id, replay.event)
        note += self._words().note(self.lines())
        place = self._words().place()
        if pane.is_narrow:
            # The status line has no room for all of it.
            note.insert(0, place)
            place = f"{max(0, replay.event)}/{len(replay.records) - 1}"
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

    def _time_line(self, columns: int) -> str:
        """Return the game as a time line that marks rounds, moments and the current event."""
        replay = self.replay
        is_ascii = self.desk.charset is Charset.ASCII
        line = ["-" if is_ascii else "─"] * columns
        last = max(1, len(replay.records))
        for place in replay.rounds:
            line[place * (columns - 1) // last] = "|" if is_ascii else "┼"
        for moment in self._moments:
            line[moment.position * (columns - 1) // last] = "*"
        line[replay.position * (columns - 1) // last] = "@"
        return "".join(line)

    # Playing

    def _go_on(self) -> None:
        """While playing: step if a step is due, and request a frame for the next step."""
        speed, desk = _SPEEDS[self._speed], self.desk
        if not speed:
            return
        now = desk.now()
        if now >= self._goes_on_at:
            # The first frame only sets the pace: zero means that no step was due before.
            if self._goes_on_at and not self.replay.step(1):
                self._speed = 0
                return
            self._goes_on_at = now + 1 / speed
        desk.draw_again_in(max(0.0, self._goes_on_at - now))

    # Keys and mouse

    def act(self, action: Action, key: str) -> None:
        replay = self.replay
        moves = {
            Action.LEFT: lambda: replay.step(-1),
            Action.RIGHT: lambda: replay.step(1),
            Action.ROUND_BACK: lambda: replay.leap(-1),
            Action.ROUND_ON: lambda: replay.leap(1),
            Action.EVENT_BACK: lambda: replay.step_event(-1),
            Action.EVENT_ON: lambda: replay.step_event(1),
            Action.CHOICE_BACK: lambda: replay.step_choice(-1),
            Action.CHOICE_ON: lambda: replay.step_choice(1),
            Action.TURN_BACK: lambda: replay.step_turn(-1),
            Action.TURN_ON: lambda: replay.step_turn(1),
        }
        if action in moves:
            if not moves[action]():
                raise CannotDo("replay.end")
        elif action in {Action.FIRST, Action.LAST}:
            self.replay.go_to(-1 if action is Action.FIRST else len(self.replay.records) - 1)
        elif action is Action.LEAVE:
            self.desk.model.replayed = ""
            (self.leave or self.desk.quit)()
        elif not (self._act_on_replay(action) or self._act_on_review(action)):
            reader = readings.Reader(
                *(self.desk, self.context, self.replay.face, self._role, self._layout),
                *(self.scene, self.lines, list, self._notepad()),
            )
            if not reader.has(action):
                raise CannotDo("wrong.key", key)
            if action in SCROLLS:
                self._layout.scroll(*SCROLLS[action])
            elif action is Action.MAP_SIZE:
                self._layout.reset_scroll()
                change_map_size(self.desk, self.replay.face.ruleset)
            elif not reader.open(action):
                raise CannotDo("wrong.key", key)

    def _act_on_replay(self, action: Action) -> bool:
        """Carry out an action of the replay itself; return False for any other action."""
        desk = self.desk
        if action is Action.VIEWPOINT:
            points = self.replay.points
            if len(points) < 2:
                raise CannotDo("replay.one_view")
            self._look_from(points[(points.index(self.replay.point) + 1) % len(points)])
            self.desk.model.tell(self._words().eyes())
        elif action is Action.MOMENTS:
            items = [
                Item(self._words().told(one.line), partial(self._go_to, str(one.line.sequence)))
                for one in self._moments
            ]
            desk.open(Menu(desk, "box.moments", items))
        elif action is Action.TIMELINE:
            self._open_timeline()
        elif action is Action.GO_TO:
            desk.entry = TextEntry("entry.event", self._go_to, "hint.go_to")
        elif action is Action.NOTES:
            self._notepad().open()
        elif action is Action.PLAY:
            self._speed = (self._speed + 1) % len(_SPEEDS)
            self._goes_on_at = 0.0
            speed = _SPEEDS[self._speed]
            desk.model.tell(desk.say("replay.speed" if speed else "replay.stands", speed))
        elif action is Action.OFFERED:
            desk.open(
                TextBox(desk, "box.offered", lambda: offered(self.scene(), self.replay.chosen()))
            )
        elif action is Action.SEARCH:
            desk.entry = TextEntry("entry.search", self._search, "hint.search")
        elif action in {Action.NEXT_HIT, Action.LAST_HIT}:
            self._find(1 if action is Action.NEXT_HIT else -1)
        else:
            return False
        return True

    def _open_timeline(self) -> None:
        """Open the timeline of the round of the current event."""
        self.lines()
        open_timeline(
            self.desk, self.replay, self._lines, lambda event: self._go_to(str(max(0, event)))
        )

    def _act_on_review(self, action: Action) -> bool:
        """Carry out an action of a shared review, or offer practice; return False for any other."""
        if action is Action.TOGETHER:
            self._together.open(self.lines())
        elif action is Action.FOLLOW:
            self._together.follow()
        elif action is Action.POINT:
            self._together.point(self.lines())
        elif action is Action.CHAT:
            self._together.talk()
        elif action is Action.PRACTISE:
            ask_to_practise(self.desk, self._room_id, self.replay.event)
        else:
            return False
        return True

    def _look_from(self, point: Viewpoint) -> None:
        self.replay.switch_viewpoint(point)
        self._layout = self.replay.face.layout_for(self._role)
        self._write()

    def _go_to(self, typed: str) -> None:
        last = len(self.replay.records) - 1
        if not typed.strip().isdecimal() or not self.replay.go_to(int(typed)):
            raise CannotDo("replay.no_event", last)

    def _notepad(self) -> Notepad:
        return Notepad(
            *(self.desk, self._room_id, lambda: self.replay.event),
            lambda event: self._go_to(str(max(0, event))),
        )

    @property
    def _room_id(self) -> str:
        return self.replay.tables[-1].room.room_id

    def _search(self, word: str) -> None:
        self._word = word.strip()
        self._find(1)

    def _find(self, by: int) -> None:
        """Go to the next or previous line of the journal that contains the searched word."""
        if not self._word:
            raise CannotDo("replay.no_word")
        event = self.replay.event
        hits = [line.sequence for line in self._lines if any(find_all(self._word, line.text))]
        ahead = [hit for hit in hits if hit > event] if by > 0 else [h for h in hits if h < event]
        if not ahead:
            raise CannotDo("replay.no_hit", self._word)
        self.replay.go_to(ahead[0] if by > 0 else ahead[-1])

    def click(self, _: Sequence[Spot]) -> None:
        """Do nothing: a finished game offers no choices."""

    def wheel(self, spots: Sequence[Spot], by: int) -> None:
        """Scroll the map; outside the map, go one step forward or back."""
        if any(spot.kind == "map" for spot in spots):
            self._layout.scroll(2 * by, 0)
        else:
            self.replay.step(by)

    def hints(self) -> frozenset[Action]:
        views = {Action.VIEWPOINT} if len(self.replay.points) > 1 else set()
        views |= self._together.hints()
        if len(self.replay.tables[-1].sides) > 1:
            views.add(Action.TIMELINE)
        if self._room_id in self.desk.model.finished.notes:
            views.add(Action.PRACTISE)
        return frozenset(
            {
                *(Action.LEFT, Action.RIGHT, Action.ROUND_BACK, Action.ROUND_ON, *views),
                *(Action.MOMENTS, Action.OFFERED, Action.PLAY, Action.GO_TO),
                *(Action.STORY, Action.CARDS, Action.JOURNAL, Action.HELP, Action.LEAVE),
            }
        )
