"""
The open question at a table: shown when it is asked, answered by keys and mouse, and sent.

The viewer's answer in progress survives a lost connection: the answer is set aside while older
records still arrive, and restored if the same question is open afterwards.
"""

import math
from collections.abc import Callable, Sequence

import attrs

from client.keymap.keys import Action
from client.locale.refusals import refusal
from client.model.asked_again import is_asked_again
from client.model.model import Bar
from client.model.standing_answers import answer_of
from client.model.waiting import interrupted_line
from client.plugs.face import face_of
from client.screens.base.boxes import Menu
from client.screens.base.screen import GUARD_SECONDS, Desk, number_under
from client.screens.table.explained import explained, explained_refusal
from client.screens.table.seated import is_seated
from client.screens.table.standing import standing_menu
from client.widgets.answering import Answering, CannotDo
from client.widgets.canvas import Spot
from client.widgets.layout import Layout
from client.widgets.paragraphs import Paragraph
from client.widgets.scene import Scene
from protocol.common.asks import Point, Settle
from protocol.common.patience import limits
from protocol.common.table import Stage

_ANSWERING = frozenset({Action.CHOOSE, Action.MARK, Action.DIGIT})
"""Actions that answer a question, or change its answer."""
_LONG = 200
"""The number of characters from which a question and a choice may be cut at 80 columns."""


@attrs.define(eq=False)
class OpenQuestion:
    """The viewer's question, and the viewer's answer in progress."""

    desk: Desk
    scene: Callable[[], Scene]
    layout: Callable[[], Layout]
    answering: Answering | None = attrs.field(default=None, init=False)
    """The answer in progress; None while the viewer is not asked."""
    _seat: int | None = attrs.field(default=None, init=False)
    """The seat that is asked. It may differ from the viewer's in a practice game."""
    _shown_at: float = attrs.field(default=-math.inf, init=False)
    """The time at which the question was first drawn, by the clock of the desk."""
    _aside: Answering | None = attrs.field(default=None, init=False)
    """The last answer in progress, set aside because its question may be out of date."""

    def refresh(self) -> None:
        """Begin an answer to a new question, or restore an interrupted answer to the same question.

        While older records are missing, the answer in progress is set aside.
        """
        model, view = self.desk.model, self.desk.view
        question, ask = view.my_question(), view.ask
        # Nothing to interrupt with is no question.
        is_asked = question is not None and bool(question.choices or not view.may_interrupt)
        if question is None or ask is None or not is_asked or model.is_catching_up:
            # While older records are still coming, any question may be an old one.
            self._aside, self.answering = self.answering or self._aside, None
            return
        answering, face = self.answering, face_of(view.table.room.ruleset)
        # The same question may be put to another seat of a practice game.
        if answering is not None and answering.ask_id == ask.ask_id and self._seat == view.seat:
            return
        self._seat = view.seat
        # A message about the last question would be read as one about this.
        if model.bar.is_of_now:
            model.bar = Bar("")
        if lost := interrupted_line(self.desk.speaker, view, model.off_log.held):
            model.bar = Bar(lost, is_of_now=True)
        aside, self._aside = self._aside, None
        if aside is not None and (aside.ask_id, aside.row) == (ask.ask_id, question.row):
            self.answering = aside
            return
        if answering and is_asked_again(view, answering.ask_id, answering.question):
            answering.ask_again(ask.ask_id, question)
            answering.grid = face.grid(self.scene(), answering.choices)
            return
        layout = self.layout()
        if not view.may_interrupt:
            layout.reset_scroll()
        row = question.row
        self.answering = Answering(
            *(ask.ask_id, row[0], ask.has_open_votes, layout.is_over_dice(self.scene()), row),
            listing=face.listing,
            risks=face.risks,
            free=face.free,
            binding=face.binding,
            vain=face.vain,
            avoided=face.way_back(view.records),
            is_in_window=ask.settle is Settle.WINDOW,
            may_interrupt=view.may_interrupt,
        )
        self.answering.held = model.held_picks or ()
        if not view.may_interrupt:
            self.answering.grid = face.grid(self.scene(), self.answering.choices)
        answers = model.answers.get(view.room_id, ())
        if (picks := answer_of(view, answers, face.standing)) is not None:
            # The question stays open on the screen until the server has taken the answer.
            self.desk.port.answer(ask.ask_id, picks)
            given = (one.text for one in question.choices if one.choice_id in picks)
            said = ", ".join(map(self.desk.speaker.text, given))
            model.bar = Bar(self.desk.say("plain.standing_answer", said))

    def standing_menu(self) -> Menu | None:
        """Return the menu by which an answer to the question stands; None if none can."""
        view, answering = self.desk.view, self.answering
        offer = face_of(view.table.room.ruleset).standing
        is_asked = answering is not None and view.ask is not None and bool(view.ask.kind)
        if offer is None or not is_asked or not is_seated(self.desk) or view.is_practice:
            return None
        assert answering is not None
        return standing_menu(self.desk, view, offer, answering.chosen)

    def mark_shown(self) -> None:
        """Note that the question was drawn where the player could read it."""
        if self.answering is not None and not self.answering.is_shown:
            self.answering.is_shown, self._shown_at = True, self.desk.now()

    @property
    def shown(self) -> Answering | None:
        """
        The answer to draw.

        None while an answer waits for its reply, unless it can still be changed.
        """
        answering = self.answering
        is_votable = answering is not None and answering.is_open_vote
        return None if self.desk.model.is_answering and not is_votable else answering

    def explained(self, *, is_narrow: bool) -> list[Paragraph]:
        """Return the help on the question, or on the refused choice under the cursor.

        On a narrow screen, and on a long question or choice that may be cut on any other, the help
        begins with their whole texts.
        """
        speaker, view, answering = self.desk.speaker, self.desk.view, self.answering
        if answering is not None and answering.refused is not None:
            return explained_refusal(speaker, answering.refused)
        is_limited = bool(limits(view.table.room)) and not view.may_interrupt
        said = explained(speaker, view.ask, view.my_question(), is_limited=is_limited)
        if answering is None:
            return said
        prompt = speaker.text(answering.question.prompt)
        chosen = "" if answering.chosen is None else speaker.text(answering.chosen.text)
        if not is_narrow and len(prompt) + len(chosen) < _LONG:
            return said
        whole = [("class:prompt", prompt)]
        if answering.may_interrupt and view.ask is not None:
            decider = speaker.seat(view.table, view.ask.decides)
            whole.insert(0, ("", speaker.say("question.interrupt", decider)))
        if chosen:
            whole.append(("class:cursor", f"> {chosen}"))
        return [*whole, ("", ""), *said]

    # What the mouse does

    def choice_under(self, spots: Sequence[Spot]) -> int | None:
        """Return the index of the choice under the pointer; None if there is none.

        The pointer may be on the choice itself, on a die, or on a piece that a choice points at.
        """
        answering = self.answering
        if answering is None:
            return None
        at = number_under(spots, "choice")
        dice = [spot.value for spot in spots if spot.kind == "die"]
        if at is None and dice:
            at = answering.for_die(dice[0])
        if at is not None:
            return at
        # What is on top first: a figure, then the space that it is in.
        about = (answering.about([Point(spot.kind, spot.value)]) for spot in spots)
        return next((found for found in about if found is not None), None)

    def click(self, at: int | None) -> bool:
        """Go to the clicked choice, or choose it; return whether an answer was sent."""
        answering = self._open_to_answer()
        if at is None:
            return False
        self._must_be_meant(answering)
        if at != answering.cursor:
            answering.go_to(at)
        elif answering.is_many:
            self._mark(answering)
        else:
            return self._send(answering)
        return False

    # What keys do

    def act(self, action: Action, key: str) -> bool:
        """Carry out an action on the question; return whether an answer was sent."""
        if action is Action.TIEBREAK:
            ask = self.desk.view.ask
            if ask is None or not self.desk.view.can_call_tiebreak():
                raise CannotDo("wrong.lot")
            self.desk.port.call_tiebreak(ask.ask_id)
            return False
        answering = self._open_to_answer()
        if action in _ANSWERING or answering.may_interrupt:
            self._must_be_meant(answering)
        match action:
            case Action.UP:
                answering.move(-1)
            case Action.DOWN:
                answering.move(1)
            case Action.DIE_BACK | Action.DIE_ON:
                answering.move_across(1 if action is Action.DIE_ON else -1)
            case Action.DIGIT:
                answering.type_digit(key)
            case Action.MARK:
                self._mark(answering)
            case Action.UNDO:
                # Before the first pick, go back to the question before in the row.
                earlier = None if answering.picks else answering.before()
                if earlier is None:
                    answering.undo()
                else:
                    self.answering = earlier
            case Action.CHOOSE:
                return self._send(answering)
            case _:
                raise CannotDo("wrong.key", key)
        return False

    def _open_to_answer(self) -> Answering:
        """Return the answer in progress. Raise CannotDo if no question can be answered now."""
        model, answering = self.desk.model, self.answering
        if model.is_entering or model.is_catching_up:
            raise CannotDo("wrong.catching_up")
        if self.desk.view.table.room.stage is Stage.OVER:
            raise CannotDo("wrong.over")
        if answering is None and not is_seated(self.desk):
            raise CannotDo("wrong.looking_on")
        if answering is None:
            raise CannotDo("wrong.not_asked")
        if model.is_answering and not answering.is_open_vote:
            raise CannotDo("wrong.on_its_way")
        return answering

    def _must_be_meant(self, answering: Answering) -> None:
        """Raise CannotDo if the player could not have seen the question before pressing the key."""
        # A window to interrupt opens unasked, even under a finger that answers another question.
        is_new = answering.may_interrupt and self.desk.now() < self._shown_at + GUARD_SECONDS
        if not answering.is_shown or is_new:
            raise CannotDo("wrong.unseen")
        if self.desk.has_just_closed():
            raise CannotDo("wrong.just_closed")

    def _mark(self, answering: Answering) -> None:
        self._must_be_offered(answering)
        answering.mark()

    def _must_be_offered(self, answering: Answering) -> None:
        """Raise CannotDo with the refusing rule if the cursor is on a refused choice."""
        if answering.refused is not None:
            raise CannotDo("wrong.refused", refusal(self.desk.speaker, answering.refused))

    def _send(self, answering: Answering) -> bool:
        """Send the answer, or go to the next question in the row; return whether it was sent."""
        if not answering.is_many:
            self._must_be_offered(answering)
        if not self.desk.model.is_online:
            raise CannotDo("error.offline")
        picks = answering.confirm()
        if following := answering.after(picks):
            self.answering = following
            return False
        picks = tuple(pick for part in (*answering.given, picks) for pick in part)
        if answering.is_open_vote:
            # A vote can be changed until all agree, so it is no answer that is waited for.
            self.desk.port.vote(answering.ask_id, picks)
        else:
            self.desk.port.answer(answering.ask_id, picks)
            answering.held = self.desk.model.held_picks or ()
        return True

    def hints(self) -> dict[Action, str]:
        """Return the keys that continue an answer, and the current effect of Enter."""
        answering, found = self.answering, dict[Action, str]()
        if answering is not None and (answering.is_open_vote or not self.desk.model.is_answering):
            keys = (
                (Action.CHOOSE, answering.sends, answering.is_enough),
                (Action.DIE_ON, "", answering.is_about_dice),
                (Action.DIE_ON, "hint.grid", answering.is_in_grid),
                (Action.DIE_ON, "hint.sign", answering.is_code),
                (Action.MARK, "hint.add" if answering.is_row else "", answering.is_many),
                (Action.UNDO, "", bool(answering.picks or answering.given)),
                (Action.UNDO, "hint.let_be", answering.may_interrupt and answering.is_enough),
                (Action.HELP, "hint.help_refused", answering.refused is not None),
            )
            found = {action: label for action, label, is_now in keys if is_now}
        if self.desk.view.can_call_tiebreak():
            found[Action.TIEBREAK] = ""
        if self._is_always_wanted():
            found[Action.PASSES] = "hint.always"
        return found

    def _is_always_wanted(self) -> bool:
        """Return whether the choice under the cursor can stand, and costs nothing."""
        view, answering = self.desk.view, self.answering
        face = face_of(view.table.room.ruleset)
        if face.standing is None or answering is None or view.ask is None or view.is_practice:
            return False
        chosen = answering.chosen
        if chosen is None or chosen.group in face.vain:
            return False
        return view.ask.settle.has_pass and face.standing.can_repeat(view.ask.kind, chosen)
