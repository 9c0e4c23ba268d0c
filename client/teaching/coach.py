"""
The coach: shows a new player one lesson at a time about the client.

The client passes its state to the coach whenever the screen is drawn or a line is printed, and
reports the player's actions. A lesson ends once the player has performed its action, has answered
some more questions, or has marked the lesson as read; never because time has passed. At a table
that is continued, the coach derives from the log which lessons are over.
"""

import re
from collections.abc import Sequence

import attrs

from client.keymap.keys import Action, Context
from client.locale import Locale
from client.model.tables import TableView
from client.plugs.face import face_of
from client.plugs.lessons import Glance, Lesson
from protocol.common.table import Stage, Table, fold

COACHING = frozenset({Action.LESSON, Action.COACH})
"""Actions that concern the coach alone."""
_COMMAND = re.compile(r"\{word\.([a-z_]+)\}")


@attrs.define(eq=False)
class Coach:
    """The coach of one player: selects the lesson to show, and tracks the progress."""

    lessons: Sequence[Lesson] | None = None
    """The lessons to give; None for the lessons of the table's game."""
    is_quiet: bool = False
    """True if the player has switched the coach off."""
    _done: set[str] = attrs.field(factory=set, init=False)
    _met: dict[str, int] = attrs.field(factory=dict, init=False)
    """The number of answers that the player had given when each lesson was first shown."""
    _answers: int = attrs.field(default=0, init=False)
    _ask_id: int | None = attrs.field(default=None, init=False)
    _shown: Lesson | None = attrs.field(default=None, init=False)

    def begin(self, view: TableView | None, context: Context | None) -> None:
        """
        Restore the progress at a table that is continued, from the questions on its log.

        Args:
            view: the table with the log so far; None if no table is followed.
            context: the context that received the keys meanwhile; None in plain mode.
        """
        table = Table()
        for at, record in enumerate(view.records if view is not None else ()):
            before, table = table, fold(table, record)
            if view is not None and table.room.ask is not before.room.ask:
                # Called to count the answers and to remember the lessons shown.
                so_far = view.records[: at + 1]
                shown = TableView(view.room_id, view.seat, table, records=so_far)
                self.lesson_for(Glance(shown, context))
        self._shown = None

    def lesson_for(self, glance: Glance) -> Lesson | None:
        """Return the lesson to show now; None if no lesson is due."""
        before = self._ask_id
        if before is not None and before != glance.ask_id and glance.has_ended(before):
            self._answers += 1
        self._ask_id = glance.ask_id
        due = (
            one
            for one in self._lessons_at(glance)
            if not self._is_past(one, glance)
            and (one.has_plain or not glance.is_plain)
            and one.moment(glance)
        )
        last, found = self._shown, next(due, None)
        if found is None and last is not None and last.stays and self._stays(last, glance):
            found = last
        self._shown = None if self.is_quiet else found
        if self._shown is not None:
            self._met.setdefault(self._shown.name, self._answers)
        return self._shown

    def _stays(self, lesson: Lesson, glance: Glance) -> bool:
        """Return whether a lesson is still to be read though its moment is over."""
        is_waiting = glance.stage is Stage.PLAYING and glance.ask_id is None
        return is_waiting and not glance.is_plain and not self._is_past(lesson, glance)

    def _lessons_at(self, glance: Glance) -> Sequence[Lesson]:
        if self.lessons is not None:
            return self.lessons
        if glance.view is None:
            return ()
        return face_of(glance.view.table.room.ruleset).lessons_for(glance.view.role)

    def _is_past(self, lesson: Lesson, glance: Glance) -> bool:
        if lesson.name in self._done:
            return True
        # A printed lesson stays visible, so it is not printed twice.
        patience = min(lesson.patience, 1) if glance.is_plain else lesson.patience
        met = self._met.get(lesson.name)
        return bool(patience) and met is not None and self._answers - met >= patience

    def record_action(self, action: Action) -> None:
        if self._shown is not None and action in self._shown.does:
            self._done.add(self._shown.name)

    def go_on(self) -> bool:
        """Mark the current lesson as read; return whether a lesson was shown."""
        if self._shown is None:
            return False
        self._done.add(self._shown.name)
        return True

    def switch(self) -> bool:
        """Switch the coach off or on; return whether the coach is on."""
        self.is_quiet = not self.is_quiet
        return not self.is_quiet


def words_of(lesson: Lesson, locale: Locale, *, is_plain: bool) -> str:
    """Return the words of a lesson, with the player's keys, or in plain mode with commands."""
    if not is_plain:
        return locale.say(f"coach.{lesson.name}")
    said = locale.say(f"coach.plain.{lesson.name}")
    return _COMMAND.sub(lambda match: locale.say(f"plain.word.{match[1]}"), said)
