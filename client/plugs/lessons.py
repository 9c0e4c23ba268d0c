"""
Lessons: what the coach tells somebody new about the client, as data.

A lesson has a name, which its words go by (`coach.<name>`, and `coach.plain.<name>` in plain mode),
a moment at which it is of use, and what somebody does who has understood it. Each game has lessons
of its own; the moments here are those that come in any. None of them reads a clock.
"""

from collections.abc import Callable

import attrs

from client.keymap.keys import Action, Context
from client.model.tables import TableView
from protocol.common.asks import Question
from protocol.common.table import GameTable, Stage


@attrs.frozen
class Glance:
    """What the coach sees when it looks: the table, and where keys go."""

    view: TableView | None
    """The table that is followed; None where older records are still on their way, too."""
    context: Context | None = None
    """None in plain mode."""

    @property
    def is_plain(self) -> bool:
        """Whether it is lines that are looked at, not a screen."""
        return self.context is None

    @property
    def stage(self) -> Stage | None:
        """How far the table is; None without one."""
        return None if self.view is None else self.view.table.room.stage

    @property
    def question(self) -> Question | None:
        """What the player is asked now and can see: nothing while a box lies over it."""
        is_shown = self.context in {None, Context.ROOM}
        return self.view.my_question() if self.view is not None and is_shown else None

    @property
    def ask_id(self) -> int | None:
        """Which question is open, whether it is in view or not; None for none."""
        if self.view is None or self.view.my_question() is None or self.view.ask is None:
            return None
        return self.view.ask.ask_id

    @property
    def game(self) -> GameTable | None:
        """The game on the table; None before it has begun."""
        return None if self.view is None else self.view.table.game


Moment = Callable[[Glance], bool]
"""Tells whether it is the moment for a lesson."""


@attrs.frozen
class Lesson:
    """One thing to know."""

    name: str
    moment: Moment
    """When it is of use."""
    does: tuple[Action, ...] = ()
    """Who has done one of these has understood."""
    patience: int = 1
    """After so many answers it has been read, or is not wanted; 0 for never."""
    has_plain: bool = True
    """Whether there is anything like it in plain mode."""


# Moments that come in any game -------------------------------------------------------------


def is_ready(at: Glance) -> bool:
    """Whether the player is ready for a game that has not begun."""
    seat = at.view.my_seat if at.view is not None else None
    return at.stage is Stage.LOBBY and seat is not None and seat.is_ready


def is_unready(at: Glance) -> bool:
    """Whether the player has a seat before a game, and is not ready."""
    seat = at.view.my_seat if at.view is not None else None
    return at.stage is Stage.LOBBY and seat is not None and not seat.is_ready


def reads_story(at: Glance) -> bool:
    """Whether the story lies open."""
    return at.stage is Stage.PLAYING and at.context is Context.STORY


def reads_box(at: Glance) -> bool:
    """Whether some other box lies open."""
    return at.stage is Stage.PLAYING and at.context is Context.BOX


def reads_list(at: Glance) -> bool:
    """Whether a list lies open."""
    return at.stage is Stage.PLAYING and at.context is Context.SHELF


def reads_journal(at: Glance) -> bool:
    """Whether the journal lies open."""
    return at.stage is not None and at.context is Context.JOURNAL


def is_asked(at: Glance) -> bool:
    """Whether the player is asked anything, and sees it."""
    return at.stage is Stage.PLAYING and at.question is not None


def may_take_several(at: Glance) -> bool:
    """Whether several things can be chosen at once."""
    return is_asked(at) and at.question is not None and at.question.at_most > 1


def has_refused(at: Glance) -> bool:
    """Whether there is something that cannot be chosen now."""
    return is_asked(at) and at.question is not None and bool(at.question.refused)


def is_over(at: Glance) -> bool:
    """Whether the game is over, and its story read: until then the keys do something else."""
    return at.stage is Stage.OVER and at.context is not Context.STORY
