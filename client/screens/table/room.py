"""The room: the screen on which a game is played and its questions are answered."""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from client.journal.missed import missed
from client.keymap.keys import Action, Context
from client.locale.refusals import refusal
from client.model.model import Bar
from client.model.tables import TableView
from client.model.waiting import QuestionAge, pace_of, span_since
from client.plugs.face import GameFace, face_of
from client.screens.base import boxes
from client.screens.base.map_box import SCROLLS, change_map_size
from client.screens.base.screen import Desk, Hinted, TextEntry, number_under, usual
from client.screens.reading import readings
from client.screens.reading.notes import Notepad
from client.screens.review import practising
from client.screens.review.joining import join
from client.screens.review.reviewing import review
from client.screens.table.again import begin_another
from client.screens.table.explained import explained, explained_refusal
from client.screens.table.live import Live
from client.screens.table.passing import passing_menu
from client.screens.table.proposals import consent_box, proposals_menu
from client.widgets.answering import Answering, CannotDo
from client.widgets.canvas import Pane, Spot
from client.widgets.frame import Frame
from client.widgets.layout import Layout
from client.widgets.paragraphs import Paragraph
from client.widgets.question import is_any_away
from client.widgets.scene import Scene, points_of
from protocol.common.asks import Point, Question, Settle
from protocol.common.observers import seconds_behind
from protocol.common.patience import limit_seconds
from protocol.common.table import OpenAsk, Stage

_JOURNAL_PAGE = 5


@attrs.define(eq=False)
class RoomScreen:
    """A game at one seat, or looked on at."""

    desk: Desk
    context: Context = attrs.field(default=Context.ROOM, init=False)
    answering: Answering | None = None
    _speaks_for: int | None = attrs.field(default=None, init=False)
    """The seat whose answer that is."""
    _aside: Answering | None = attrs.field(default=None, init=False)
    """The last question that somebody was answering, as long as it cannot be gone on with."""
    _back: int = attrs.field(default=0, init=False)
    _asked_about: int = attrs.field(default=-1, init=False)
    """The proposal that the player was asked about already."""
    _layout: Layout | None = attrs.field(default=None, init=False)
    """Made when it is first drawn, since until then the game may not be known."""
    _live: Live = attrs.field(init=False)
    _is_narrow: bool = attrs.field(default=False, init=False)
    """Whether it was drawn so narrow that a question may be cut."""
    _welcomed: TableView | None = attrs.field(default=None, init=False)
    """The table whose viewer was told what happened while they were away."""

    def __attrs_post_init__(self) -> None:
        """Prepare for what will be seen to happen."""
        self._live = Live(self.desk, self.scene, self.layout)

    # What there is

    @property
    def view(self) -> TableView:
        """The table; there is one as long as this screen is shown."""
        view = self.desk.model.view
        assert view is not None
        return view

    def scene(self) -> Scene:
        """Return what the widgets draw."""
        pointed = self.answering.pointed_at() if self.answering is not None else ()
        return Scene(
            self.view.table,
            self.view.seat,
            self.desk.speaker,
            self.desk.charset,
            points_of(pointed),
        )

    @property
    def face(self) -> GameFace:
        """What the game brings to the screen."""
        return face_of(self.view.table.room.ruleset)

    def layout(self) -> Layout:
        """Return where the parts of the game lie, one as long as this screen is shown."""
        if self._layout is None:
            self._layout = self.face.layout_for(self.view.role)
        return self._layout

    def refresh(self) -> None:
        """Take over what changed: another question, a proposal to agree to."""
        question, ask = self.view.my_question(), self.view.ask
        if question is None or ask is None or self.desk.model.is_catching_up:
            # While older records are still coming, any question may be an old one.
            self._aside, self.answering = self.answering or self._aside, None
        elif self._is_other_question(ask):
            self._speaks_for = self.view.seat
            self.answering = self._taken_up(ask, question)
        self._ask_for_consent()
        self._tell_since()

    def _is_other_question(self, ask: OpenAsk) -> bool:
        """Return whether something else is asked, or of another seat in a practice game."""
        if self.answering is None or self.answering.ask_id != ask.ask_id:
            return True
        return self._speaks_for != self.view.seat

    def _tell_since(self) -> None:
        """Open what happened while the viewer was away, once all of it is there."""
        if self._welcomed is self.view or self.desk.model.is_catching_up or not self.view.records:
            return
        self._welcomed = self.view
        if told := missed(self.view, self.desk.journal.lines):
            self.desk.open(boxes.SinceBox(self.desk, lines=told))

    def _taken_up(self, ask: OpenAsk, question: Question) -> Answering:
        """Restore the answer in progress if it is for the same question, else begin one."""
        model = self.desk.model
        if model.bar.is_of_now:
            model.bar = Bar("")
        aside, self._aside = self._aside, None
        if aside is not None and (aside.ask_id, aside.row) == (ask.ask_id, question.row):
            return aside
        self.layout().let_go()
        is_over_dice = self.layout().is_over_dice(self.scene())
        row, is_window = question.row, ask.settle is Settle.WINDOW
        answering = Answering(
            *(ask.ask_id, row[0], ask.has_open_votes, is_over_dice, row),
            groups=self.face.groups,
            risks=self.face.risks,
            avoided=self.face.way_back(self.view.records),
            is_in_window=is_window,
        )
        answering.held = model.held_pick or ""
        return answering

    def _ask_for_consent(self) -> None:
        proposal = self.view.table.room.proposal
        if proposal is None or not self.is_seated:
            self.desk.boxes[:] = [b for b in self.desk.boxes if not _is_consent(b)]
            return
        is_new = proposal.proposal_id != self._asked_about
        if is_new and self.view.seat not in (*proposal.consents, proposal.by):
            self._asked_about = proposal.proposal_id
            self.desk.open(consent_box(self.desk, proposal))

    def look(self) -> None:
        """Take over what happened since the last frame. Called before anything is drawn."""
        self._live.look(self.view)

    def draw(self, pane: Pane) -> None:
        """Draw the game."""
        model, self._is_narrow = self.desk.model, pane.is_narrow
        is_votable = self.answering is not None and self.answering.is_open_vote
        game = self.view.table.game
        frame = Frame(
            scene=self.scene(),
            moment=None if game is None else self.face.moment(game),
            journal=self.desk.journal.lines,
            connection=self.desk.connection(),
            connection_short=self.desk.connection(is_short=True),
            is_away=not model.is_online,
            answering=None if model.is_answering and not is_votable else self.answering,
            role=self._role(),
            note=self._note(),
            is_sent=model.is_answering,
            pace=self._pace(),
            back=self._back,
            map_size=self.desk.prefs.map,
            instant=self._live.instant(),
        )
        drawn = self.layout().draw(pane, frame)
        self._back = drawn.back
        self._live.draw_over(pane, is_asked=frame.answering is not None)
        if self.answering is not None and drawn.is_whole and not self.desk.boxes:
            self.answering.is_shown = True

    def _role(self) -> str:
        """Return the notice to a spectator, with how late it is; in practice, for whom one is."""
        if self.view.is_practice:
            return practising.role(self.desk, self.view)
        later = seconds_behind(self.view.table.room.settings, self.desk.model.key)
        if self.is_seated:
            return ""
        if not later or self.view.seat is not None:
            return self.desk.say("status.looking_on")
        return self.desk.say("status.looking_on_later", span_since(later).text(self.desk.speaker))

    def _pace(self) -> QuestionAge:
        pace = pace_of(self.desk.watch, self.view, is_asked=self.answering is not None)
        for seconds in pace.changes_in:
            self.desk.draw_again_in(seconds)
        return pace

    def _note(self) -> tuple[str, ...]:
        model, view = self.desk.model, self.view
        if model.fault:
            return (model.fault_in_words,)
        if model.is_catching_up:
            have, due = self.view.last + 1, model.next_sequence
            return (self.desk.say("waiting.catching_up", have, due),)
        if self._is_seat_lost and view.seat is not None:
            return (self.desk.say("room.seat_lost", self.desk.speaker.seat(view.table, view.seat)),)
        return ()

    @property
    def is_seated(self) -> bool:
        """Whether the viewer plays: has a seat here, and it is still theirs."""
        return self.view.seat is not None and not self._is_seat_lost

    @property
    def _is_seat_lost(self) -> bool:
        mine = self.view.my_seat
        return mine is not None and mine.key != self.desk.model.key

    # What the mouse does

    def click(self, spots: Sequence[Spot]) -> None:
        """
        Go to the choice that is clicked on, or to one that concerns the piece clicked on.

        A piece that no choice is about opens what there is to read about it.
        """
        at = None if self.answering is None else _choice_under(self.answering, spots)
        if at is None and self._reader().open_about(spots):
            return
        answering = self._open_to_answer()
        if at is None:
            return
        if at != answering.cursor:
            answering.go_to(at)
        elif answering.is_many:
            self._mark(answering)
        else:
            self._send(answering)

    def wheel(self, spots: Sequence[Spot], by: int) -> None:
        """Turn the journal, move the cursor among the choices, or move the map."""
        kinds = {spot.kind for spot in spots}
        if "journal" in kinds:
            self._back = max(0, self._back - by * boxes.WHEEL_LINES)
        elif "question" in kinds and self.answering is not None:
            self.answering.move(by)
        elif "map" in kinds:
            self.layout().scroll(2 * by, 0)

    # What keys do

    def act(self, action: Action, key: str) -> None:
        """Do what a key means."""
        reader = self._reader()
        if not reader.has(action):
            raise CannotDo("wrong.key", key)
        if action in SCROLLS:
            self.layout().scroll(*SCROLLS[action])
        elif action is Action.MAP_SIZE:
            self.layout().let_go()
            change_map_size(self.desk)
        elif action is Action.REVIEW:
            review(self.desk, self.view.room_id)
        elif action is Action.TOGETHER:
            join(self.desk, self.view.room_id)
        elif action is Action.NOTES:
            reader.notepad.open()
        elif action is Action.AGAIN:
            self._play_again()
        elif practising.act(self.desk, self.view, action):
            pass
        elif not (reader.open(action) or self._turn(action) or self._talk(action)):
            self._answer(action, key)

    def _reader(self) -> readings.Reader:
        """Return what opens all that can be read about the game."""
        desk = self.desk
        return readings.Reader(
            desk,
            self.context,
            self.face,
            self.view.role,
            self.layout(),
            self.scene,
            lambda: desk.journal.lines,
            self._help,
            Notepad(desk, self.view.room_id, lambda: self.view.last),
        )

    def _help(self) -> list[Paragraph]:
        refused = self.answering.refused if self.answering is not None else None
        if refused is not None:
            return explained_refusal(self.desk.speaker, refused)
        is_limited = bool(limit_seconds(self.view.table.room))
        view = self.view
        said = explained(self.desk.speaker, view.ask, view.my_question(), is_limited=is_limited)
        if self._is_narrow and self.answering is not None:
            return [*self._whole_question(self.answering), ("", ""), *said]
        return said

    def _whole_question(self, answering: Answering) -> Iterator[Paragraph]:
        """Yield what is asked, and the choice under the cursor."""
        yield "class:prompt", self.desk.speaker.text(answering.question.prompt)
        if answering.chosen is not None:
            yield "class:cursor", f"> {self.desk.speaker.text(answering.chosen.text)}"

    def _turn(self, action: Action) -> bool:
        """Turn the journal's pages; return whether the action was that."""
        if action is Action.PAGE_UP:
            self._back += _JOURNAL_PAGE
        elif action is Action.PAGE_DOWN:
            self._back = max(0, self._back - _JOURNAL_PAGE)
        elif action is Action.LAST:
            self._back = 0
            self.layout().let_go()
        else:
            return False
        return True

    def _talk(self, action: Action) -> bool:
        """Do what concerns the others; return whether the action was that."""
        desk = self.desk
        if action is Action.LEAVE:
            self._leave()
            return True
        if action not in {
            Action.CHAT,
            Action.PROPOSALS,
            Action.CONSENT,
            Action.RESUME,
            Action.PASSES,
        }:
            return False
        if not self.is_seated:
            raise CannotDo("wrong.looking_on")
        if action is Action.CHAT:
            desk.entry = TextEntry("entry.chat", desk.port.chat, stays=True)
        elif action is Action.PROPOSALS:
            if self.view.table.room.stage is Stage.OVER:
                raise CannotDo("wrong.over")
            desk.open(proposals_menu(desk, self.view))
        elif action is Action.PASSES:
            desk.open(passing_menu(desk, self.view))
        elif action is Action.CONSENT:
            self._consent()
        elif not self.view.table.room.is_paused:
            raise CannotDo("wrong.not_paused")
        else:
            desk.port.resume()
        return True

    def _play_again(self) -> None:
        if not self.is_seated:
            raise CannotDo("wrong.looking_on")
        if self.view.table.room.stage is not Stage.OVER:
            raise CannotDo("wrong.not_over")
        begin_another(self.desk, self.view.table.room.scenario)

    def _leave(self) -> None:
        desk = self.desk
        if self._is_seat_lost:
            # There is nothing here to keep; the lobby has the other tables.
            desk.port.leave_table()
            desk.port.list_tables()
            return
        if not self.is_seated:
            key = "leave.watching"
        elif self.view.table.room.stage is Stage.OVER:
            key = "leave.solo_over" if desk.model.is_solo else "leave.over"
        else:
            key = "leave.solo" if desk.model.is_solo else "leave.game"
        text = desk.say(key, desk.model.launch.command)
        desk.open(boxes.Confirm(desk, "box.leave", text, desk.quit))

    def _consent(self) -> None:
        proposal = self.view.table.room.proposal
        if proposal is None:
            raise CannotDo("wrong.no_proposal")
        self.desk.open(consent_box(self.desk, proposal))

    def _answer(self, action: Action, key: str) -> None:
        if action is Action.TIEBREAK:
            self._call_tiebreak()
            return
        answering = self._open_to_answer()
        match action:
            case Action.UP:
                answering.move(-1)
            case Action.DOWN:
                answering.move(1)
            case Action.DIE_BACK | Action.DIE_ON:
                answering.move_die(1 if action is Action.DIE_ON else -1)
            case Action.DIGIT:
                answering.type_digit(key)
            case Action.MARK:
                self._mark(answering)
            case Action.UNDO:
                self._undo(answering)
            case Action.CHOOSE:
                self._send(answering)
            case _:
                raise CannotDo("wrong.key", key)

    def _open_to_answer(self) -> Answering:
        """Return the question that can be answered now. CannotDo where there is none."""
        model, answering = self.desk.model, self.answering
        if model.is_catching_up:
            raise CannotDo("wrong.catching_up")
        if self.view.table.room.stage is Stage.OVER:
            raise CannotDo("wrong.over")
        if answering is None and not self.is_seated:
            raise CannotDo("wrong.looking_on")
        if answering is None:
            raise CannotDo("wrong.not_asked")
        if model.is_answering and not answering.is_open_vote:
            raise CannotDo("wrong.on_its_way")
        return answering

    def _mark(self, answering: Answering) -> None:
        self._must_be_offered(answering)
        answering.mark()

    def _undo(self, answering: Answering) -> None:
        """Put the last pick back; before the first, go back to the question before in the row."""
        earlier = None if answering.picks else answering.before()
        if earlier is None:
            answering.undo()
        else:
            self.answering = earlier

    def _must_be_offered(self, answering: Answering) -> None:
        """Raise CannotDo with the rule that says why, where the cursor is on what is refused."""
        if answering.refused is not None:
            raise CannotDo("wrong.refused", refusal(self.desk.speaker, answering.refused))

    def _send(self, answering: Answering) -> None:
        if not answering.is_many:
            self._must_be_offered(answering)
        if not self.desk.model.is_online:
            raise CannotDo("error.offline")
        if self.desk.has_just_read():
            # The key was meant for the story that lay here.
            raise CannotDo("wrong.unseen")
        picks = answering.confirm()
        if following := answering.after(picks):
            self.answering = following
            return
        picks = tuple(pick for part in (*answering.given, picks) for pick in part)
        # What comes of it is at the end of the journal.
        self._back = 0
        if answering.is_open_vote:
            self.desk.port.vote(answering.ask_id, picks)
        else:
            self.desk.port.answer(answering.ask_id, picks)
            answering.held = self.desk.model.held_pick or ""

    def _call_tiebreak(self) -> None:
        ask: OpenAsk | None = self.view.ask
        if ask is None or not self.view.can_call_tiebreak():
            raise CannotDo("wrong.lot")
        self.desk.port.call_tiebreak(ask.ask_id)

    def hints(self) -> Hinted:
        """Return what makes sense now."""
        answering, model = self.answering, self.desk.model
        read = (one.action for one in self.face.readings_for(self.view.role) if one.is_hinted)
        found = usual(Action.HELP, *read, Action.JOURNAL, Action.LEAVE)
        if self.is_seated:
            found |= self._hints_to_seat()
        if answering is not None and (answering.is_open_vote or not model.is_answering):
            found |= _to_answer(answering)
            if answering.refused is not None:
                found[Action.HELP] = "hint.help_refused"
        if self.view.can_call_tiebreak():
            found[Action.TIEBREAK] = ""
        if self.view.table.room.is_paused:
            found[Action.RESUME] = ""
        return {**found, **practising.hints(self.desk, self.view)}

    def _hints_to_seat(self) -> dict[Action, str]:
        """Return what makes sense to who has a seat, whatever is asked."""
        model, room, found = self.desk.model, self.view.table.room, dict[Action, str]()
        if room.stage is Stage.OVER:
            found[Action.REVIEW] = ""
            if not model.is_solo:
                found[Action.TOGETHER] = ""
            if not self.view.is_practice:
                found[Action.AGAIN] = "hint.real_game" if model.is_tutorial else ""
        if not model.is_solo:
            found[Action.CHAT] = ""
        if (proposal := room.proposal) is not None:
            is_mine = self.view.seat in (proposal.by, *proposal.consents)
            found[Action.CONSENT] = "hint.consented" if is_mine else ""
        if room.kinds:
            found[Action.PASSES] = ""
        if is_any_away(self.view.table):
            found[Action.PROPOSALS] = ""
        return found


def _choice_under(answering: Answering, spots: Sequence[Spot]) -> int | None:
    """Return the place of the choice that a click means; None where it means none."""
    at = number_under(spots, "choice")
    dice = [spot.value for spot in spots if spot.kind == "die"]
    if at is None and dice:
        at = answering.for_die(dice[0])
    if at is not None:
        return at
    # What lies on top first: a figure, then the space that it stands in.
    about = (answering.about([Point(spot.kind, spot.value)]) for spot in spots)
    return next((found for found in about if found is not None), None)


def _to_answer(answering: Answering) -> Mapping[Action, str]:
    """Return the keys that continue an answer, and what Enter does with it now."""
    found: dict[Action, str] = {}
    if answering.is_enough:
        found[Action.CHOOSE] = answering.sends
    if answering.is_about_dice:
        found[Action.DIE_ON] = ""
    if answering.is_many:
        found[Action.MARK] = ""
    if answering.picks or answering.given:
        found[Action.UNDO] = ""
    return found


def _is_consent(box: object) -> bool:
    return isinstance(box, boxes.Confirm) and box.title in {"box.consent", "box.consented"}
