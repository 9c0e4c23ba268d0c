"""The room: the screen on which a game is played, and its questions are answered."""

from collections.abc import Sequence

import attrs

from client.journal.missed import missed
from client.journal.so_far import story_so_far
from client.keymap.keys import Action, Context
from client.model.tables import TableView
from client.model.waiting import pace_of, span_since
from client.plugs.face import GameFace, face_of
from client.screens.base import boxes
from client.screens.base.map_box import SCROLLS, change_map_size
from client.screens.base.screen import CannotDo, Desk, Hinted, usual
from client.screens.reading import readings
from client.screens.reading.notes import Notepad
from client.screens.reading.story import so_far
from client.screens.review import practising
from client.screens.review.joining import join
from client.screens.review.reviewing import review
from client.screens.table.company import Company
from client.screens.table.live import Live
from client.screens.table.open_question import OpenQuestion
from client.screens.table.seated import is_seat_lost, is_seated
from client.widgets.answering import Answering
from client.widgets.canvas import Pane, Spot
from client.widgets.frame import Frame
from client.widgets.layout import Layout
from client.widgets.scene import Scene, points_of
from protocol.common.observers import seconds_behind
from protocol.common.table import Stage

_JOURNAL_PAGE = 5
"""The number of journal lines that one key scrolls."""


@attrs.define(eq=False)
class RoomScreen:
    """The screen of a game, for a player or a spectator."""

    desk: Desk
    context: Context = attrs.field(default=Context.ROOM, init=False)
    _question: OpenQuestion = attrs.field(init=False)
    _company: Company = attrs.field(init=False)
    _live: Live = attrs.field(init=False)
    _layout: Layout | None = attrs.field(default=None, init=False)
    """Created at the first drawing, because the game may be unknown before."""
    _back: int = attrs.field(default=0, init=False)
    """The number of lines by which the journal is scrolled back."""
    _is_narrow: bool = attrs.field(default=False, init=False)
    """Whether the last frame was so narrow that a question may be cut."""
    _welcomed: TableView | None = attrs.field(default=None, init=False)
    """The table whose viewer has already seen the events of their absence."""

    def __attrs_post_init__(self) -> None:
        self._question = OpenQuestion(self.desk, self.scene, self.layout)
        self._company = Company(self.desk)
        self._live = Live(self.desk, self.scene, self.layout)

    @property
    def answering(self) -> Answering | None:
        """The viewer's answer in progress; None while the viewer is not asked."""
        return self._question.answering

    def scene(self) -> Scene:
        """Return the table in the form that widgets draw."""
        desk, answering = self.desk, self.answering
        lit = points_of(answering.pointed_at() if answering is not None else ())
        return Scene(desk.view.table, desk.view.seat, desk.speaker, desk.charset, lit)

    @property
    def face(self) -> GameFace:
        return face_of(self.desk.view.table.room.ruleset)

    def layout(self) -> Layout:
        """Return the layout of the game; every call returns the same object."""
        if self._layout is None:
            self._layout = self.face.layout_for(self.desk.view.role)
        return self._layout

    def refresh(self) -> None:
        """React to changes of the model: a new question, a new proposal, a return after absence."""
        desk, view = self.desk, self.desk.view
        self._question.refresh()
        self._company.ask_for_consent()
        # Only once all of it is there.
        whole = desk.model.view
        if self._welcomed is not whole and view.records and not desk.model.is_catching_up:
            self._welcomed = whole
            if told := missed(view, desk.shown.lines):
                desk.open(boxes.SinceBox(desk, lines=told))
            elif desk.prefs.story and view.room_id not in desk.introduced:
                desk.introduced.add(view.room_id)
                if told := story_so_far(view, desk.shown.lines):
                    desk.open(so_far(desk, told))

    def start_live_events(self) -> None:
        """Start the animations and story boxes of new records, before a frame is drawn."""
        self._live.follow(self.desk.view)

    def draw(self, pane: Pane) -> None:
        self._is_narrow = pane.is_narrow
        desk, view, game = self.desk, self.desk.view, self.desk.view.table.game
        answering = self.answering
        pace = pace_of(
            desk.watch, view, is_asked=answering is not None and not answering.may_interrupt
        )
        if answering is not None:
            answering.least = pace.least
        for seconds in pace.changes_in:
            desk.draw_again_in(seconds)
        note: tuple[str, ...] = ()
        if desk.model.fault:
            note = (desk.model.fault_in_words,)
        elif desk.model.is_catching_up:
            note = (desk.say("waiting.catching_up", view.last + 1, desk.model.next_sequence),)
        elif is_seat_lost(desk) and view.seat is not None:
            note = (desk.say("room.seat_lost", desk.speaker.seat(view.table, view.seat)),)
        frame = Frame(
            scene=self.scene(),
            moment=None if game is None else self.face.moment(game),
            journal=desk.shown.lines,
            connection=desk.connection(),
            connection_short=desk.connection(is_short=True),
            is_away=not desk.model.is_online,
            answering=self._question.shown,
            role=self._role(),
            note=note,
            is_sent=desk.model.is_answering,
            pace=pace,
            back=self._back,
            map_size=desk.prefs.map,
            instant=self._live.instant(),
        )
        drawn = self.layout().draw(pane, frame)
        self._back = drawn.back
        self._live.draw_over(pane, is_asked=frame.has_to_answer)
        # A question under a box or in a terminal too small for it was not read, so that no key
        # may answer it.
        if drawn.is_whole and not desk.boxes:
            self._question.mark_shown()

    def _role(self) -> str:
        """Return the role of the viewer for the status line; empty for a seated player.

        In a practice game, this is the acting seat; for a spectator, that they spectate, with the
        delay.
        """
        desk, view = self.desk, self.desk.view
        if view.is_practice:
            return practising.role(desk, view)
        if is_seated(desk):
            return ""
        later = seconds_behind(view.table.room.settings, desk.model.key)
        if not later or view.seat is not None:
            return desk.say("status.looking_on")
        return desk.say("status.looking_on_later", span_since(later).text(desk.speaker))

    # The mouse

    def click(self, spots: Sequence[Spot]) -> None:
        """
        Go to the clicked choice, or to a choice about the clicked piece.

        If no choice is about the piece, open the piece's entry in the game's lists.
        """
        at = self._question.choice_under(spots)
        if at is None and self._reader().open_about(spots):
            return
        if self._question.click(at):
            self._back = 0

    def wheel(self, spots: Sequence[Spot], by: int) -> None:
        """Scroll the journal, move the cursor among the choices, or scroll the map."""
        kinds = {spot.kind for spot in spots}
        if "journal" in kinds:
            self._back = max(0, self._back - by * boxes.WHEEL_LINES)
        elif "question" in kinds and self.answering is not None:
            self.answering.move(by)
        elif "map" in kinds:
            self.layout().scroll(2 * by, 0)

    # Keys

    def act(self, action: Action, key: str) -> None:
        desk, reader = self.desk, self._reader()
        if not reader.has(action):
            raise CannotDo("wrong.key", key)
        if action in SCROLLS:
            self.layout().scroll(*SCROLLS[action])
        elif action is Action.MAP_SIZE:
            self.layout().reset_scroll()
            change_map_size(desk, desk.view.table.room.ruleset)
        elif action is Action.REVIEW:
            review(desk, desk.view.room_id)
        elif action is Action.TIMELINE:
            if desk.view.table.room.stage is not Stage.OVER:
                raise CannotDo("wrong.not_over")
            review(desk, desk.view.room_id, with_timeline=True)
        elif action is Action.TOGETHER:
            join(desk, desk.view.room_id)
        elif action is Action.PASSES and (menu := self._question.standing_menu()) is not None:
            desk.open(menu)
        elif action is Action.NOTES:
            reader.notepad.open()
        elif action in {Action.PAGE_UP, Action.PAGE_DOWN, Action.FIRST, Action.LAST}:
            if action is Action.LAST:
                self._back = 0
                self.layout().reset_scroll()
            elif action is Action.FIRST:
                self._back = boxes.PAST_ANY_END
                self.layout().scroll(-boxes.PAST_ANY_END, -boxes.PAST_ANY_END)
            else:
                by = _JOURNAL_PAGE if action is Action.PAGE_UP else -_JOURNAL_PAGE
                self._back = max(0, self._back + by)
        # The way out of a practice game leads to the replay, so practice comes before company.
        elif not (
            practising.act(desk, desk.view, action)
            or reader.open(action)
            or self._company.act(action)
        ) and self._question.act(action, key):
            # What comes of the answer is at the end of the journal.
            self._back = 0

    def _reader(self) -> readings.Reader:
        """Return the object that opens the boxes about the game."""
        desk = self.desk
        return readings.Reader(
            desk,
            self.context,
            self.face,
            desk.view.role,
            self.layout(),
            self.scene,
            lambda: desk.shown.lines,
            lambda: self._question.explained(is_narrow=self._is_narrow),
            Notepad(desk, desk.view.room_id, lambda: desk.view.last),
        )

    def hints(self) -> Hinted:
        view = self.desk.view
        read = (one.action for one in self.face.readings_for(view.role) if one.is_hinted)
        found = usual(Action.HELP, *read, Action.JOURNAL, Action.LEAVE)
        parts = (self._company.hints(), self._question.hints(), practising.hints(self.desk, view))
        for part in parts:
            found |= part
        return found
