"""
Lessons of the coach about the client, as data.

A lesson has a name, a moment when the lesson is useful, and the actions that show that the player
understood the lesson. The name is part of the keys of its words: `coach.<name>`, and
`coach.plain.<name>` in plain mode. Each game has its own lessons; the moments in this module occur
in any game. No moment depends on a clock.
"""

from collections.abc import Callable

import attrs

from client.keymap.keys import Action, Context
from client.model.tables import TableView
from protocol.common.asks import Question
from protocol.common.events import Answered, Asked, Passed, Voted
from protocol.common.table import GameTable, Stage


@attrs.frozen
class Glance:
    """The state of the client as the coach sees it: the table, and the context of the keys."""

    view: TableView | None
    """The followed table; None if no table is followed or older records are missing."""
    context: Context | None = None
    """The context that receives the keys; None in plain mode."""

    @property
    def is_plain(self) -> bool:
        """Whether the client is in plain mode."""
        return self.context is None

    @property
    def stage(self) -> Stage | None:
        """The stage of the table; None if no table is followed."""
        return None if self.view is None else self.view.table.room.stage

    @property
    def question(self) -> Question | None:
        """The question that the player must answer; None if there is none or a box hides it."""
        is_shown = self.context in {None, Context.ROOM}
        return None if self.ask_id is None or not is_shown else self._question()

    @property
    def ask_id(self) -> int | None:
        """
        The id of the question that the player must answer, even if hidden.

        None if there is none.
        """
        if self.view is None or self.view.ask is None or self._question() is None:
            return None
        return self.view.ask.ask_id

    def has_ended(self, ask_id: int) -> bool:
        """
        Return whether a question is over, other than by a choice of somebody who interrupted it.

        An interrupted question is asked again, so the player has not answered it yet.
        """
        given = (Answered, Passed, Voted)
        for record in reversed(self.view.records if self.view is not None else ()):
            event = record.event
            if isinstance(event, Asked) and event.ask_id == ask_id:
                break
            if isinstance(event, given) and event.ask_id == ask_id:
                return self.view is not None and event.seat == self.view.seat
        return True

    @property
    def interruption(self) -> Question | None:
        """The question by which the player may interrupt another; None if there is none."""
        is_shown = self.context in {None, Context.ROOM}
        may = self.view is not None and self.view.may_interrupt and is_shown
        return self.view.my_question() if self.view is not None and may else None

    def _question(self) -> Question | None:
        is_asked = self.view is not None and not self.view.may_interrupt
        return self.view.my_question() if self.view is not None and is_asked else None

    @property
    def game(self) -> GameTable | None:
        """The game on the table; None before the game has begun."""
        return None if self.view is None else self.view.table.game


Moment = Callable[[Glance], bool]
"""Decides whether a lesson is due."""


@attrs.frozen
class Lesson:
    """A lesson of the coach."""

    name: str
    moment: Moment
    """Decides when the lesson is useful."""
    does: tuple[Action, ...] = ()
    """Actions that show that the player understood the lesson."""
    patience: int = 1
    """The number of answers after which the lesson ends; 0 if answers do not end the lesson."""
    stays: bool = False
    """
    True to show the lesson until the player must answer the next question, even if its moment is
    over: nobody knows how soon a question to others is decided.
    """
    has_plain: bool = True
    """True if the coach gives the lesson in plain mode too."""


# Moments that come in any game -------------------------------------------------------------


def is_ready(at: Glance) -> bool:
    """Return whether the player is ready for a game that has not begun."""
    seat = at.view.my_seat if at.view is not None else None
    return at.stage is Stage.LOBBY and seat is not None and seat.is_ready


def is_unready(at: Glance) -> bool:
    """Return whether the player has a seat at a table before its game, and is not ready."""
    seat = at.view.my_seat if at.view is not None else None
    return at.stage is Stage.LOBBY and seat is not None and not seat.is_ready


def reads_story(at: Glance) -> bool:
    """Return whether the story is open during the game."""
    return at.stage is Stage.PLAYING and at.context is Context.STORY


def reads_box(at: Glance) -> bool:
    """Return whether a box other than story, list and journal is open during the game."""
    return at.stage is Stage.PLAYING and at.context is Context.BOX


def reads_list(at: Glance) -> bool:
    """Return whether a list is open during the game."""
    return at.stage is Stage.PLAYING and at.context is Context.SHELF


def reads_journal(at: Glance) -> bool:
    """Return whether the journal of a table is open."""
    return at.stage is not None and at.context is Context.JOURNAL


def is_asked(at: Glance) -> bool:
    """Return whether the player is asked a visible question."""
    return at.stage is Stage.PLAYING and at.question is not None


def may_take_several(at: Glance) -> bool:
    """Return whether several choices of the question can be picked at once."""
    return is_asked(at) and at.question is not None and at.question.at_most > 1


def has_refused(at: Glance) -> bool:
    """Return whether the question has a refused choice."""
    return is_asked(at) and at.question is not None and bool(at.question.refused)


def is_over(at: Glance) -> bool:
    """Return whether the game is over and its story, which has other keys, is closed."""
    return at.stage is Stage.OVER and at.context is not Context.STORY
