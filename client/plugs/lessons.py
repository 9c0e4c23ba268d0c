"""
Lessons of the coach about the client, as data.

A lesson has a name, from which the keys of its words are made (`coach.<name>`, and
`coach.plain.<name>` in plain mode), a moment when it is useful, and actions that show it was
understood. Each game has its own lessons; the moments here occur in any game. None reads a clock.
"""

from collections.abc import Callable

import attrs

from client.keymap.keys import Action, Context
from client.model.tables import TableView
from protocol.common.asks import Question
from protocol.common.table import GameTable, Stage


@attrs.frozen
class Glance:
    """The coach's view of the client: the table, and where keys go."""

    view: TableView | None
    """The followed table; None also while older records are missing."""
    context: Context | None = None
    """The context that receives the keys; None in plain mode."""

    @property
    def is_plain(self) -> bool:
        """Whether this is plain mode."""
        return self.context is None

    @property
    def stage(self) -> Stage | None:
        """Stage of the table; None without one."""
        return None if self.view is None else self.view.table.room.stage

    @property
    def question(self) -> Question | None:
        """The question that the player is asked and can see; None while a box covers it."""
        is_shown = self.context in {None, Context.ROOM}
        return self.view.my_question() if self.view is not None and is_shown else None

    @property
    def ask_id(self) -> int | None:
        """Id of the open question, visible or not; None for none."""
        if self.view is None or self.view.my_question() is None or self.view.ask is None:
            return None
        return self.view.ask.ask_id

    @property
    def game(self) -> GameTable | None:
        """The game on the table; None before it has begun."""
        return None if self.view is None else self.view.table.game


Moment = Callable[[Glance], bool]
"""Decides whether a lesson is due."""


@attrs.frozen
class Lesson:
    """One lesson."""

    name: str
    moment: Moment
    """The moment when it is useful."""
    does: tuple[Action, ...] = ()
    """Actions that show that it was understood."""
    patience: int = 1
    """Number of answers after which it ends; 0 for never."""
    has_plain: bool = True
    """True if it exists in plain mode too."""


# Moments that come in any game -------------------------------------------------------------


def is_ready(at: Glance) -> bool:
    """Whether the player is ready, before the game."""
    seat = at.view.my_seat if at.view is not None else None
    return at.stage is Stage.LOBBY and seat is not None and seat.is_ready


def is_unready(at: Glance) -> bool:
    """Whether the player has a seat before a game, and is not ready."""
    seat = at.view.my_seat if at.view is not None else None
    return at.stage is Stage.LOBBY and seat is not None and not seat.is_ready


def reads_story(at: Glance) -> bool:
    """Whether the story is open."""
    return at.stage is Stage.PLAYING and at.context is Context.STORY


def reads_box(at: Glance) -> bool:
    """Whether another box is open."""
    return at.stage is Stage.PLAYING and at.context is Context.BOX


def reads_list(at: Glance) -> bool:
    """Whether a list is open."""
    return at.stage is Stage.PLAYING and at.context is Context.SHELF


def reads_journal(at: Glance) -> bool:
    """Whether the journal is open."""
    return at.stage is not None and at.context is Context.JOURNAL


def is_asked(at: Glance) -> bool:
    """Whether the player is asked something and sees it."""
    return at.stage is Stage.PLAYING and at.question is not None


def may_take_several(at: Glance) -> bool:
    """Whether several things can be chosen at once."""
    return is_asked(at) and at.question is not None and at.question.at_most > 1


def has_refused(at: Glance) -> bool:
    """Whether the question refuses a choice."""
    return is_asked(at) and at.question is not None and bool(at.question.refused)


def is_over(at: Glance) -> bool:
    """Whether the game is over and its story closed; until then keys mean something else."""
    return at.stage is Stage.OVER and at.context is not Context.STORY
