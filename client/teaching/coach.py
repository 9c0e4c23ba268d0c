"""
The coach: shows a new player one lesson at a time about the client.

It looks at the table whenever the screen is drawn or a line is printed, and hears what the player
does. A lesson gives way once the player has done what it is about, has answered on, or says that
they have read it; never because time has passed. Where a table is gone on with, its log tells what
was answered under which lesson, and those are not said again.
"""

import re
from collections.abc import Sequence

import attrs

from client.keymap.keys import Action, Context
from client.locale import Locale
from client.model.tables import TableView
from client.plugs.face import face_of
from client.plugs.lessons import Glance, Lesson
from protocol.common.table import Table, fold

COACHING = frozenset({Action.LESSON, Action.COACH})
"""What concerns the coach alone; without one it means nothing."""
_COMMAND = re.compile(r"\{word\.([a-z_]+)\}")


@attrs.define(eq=False)
class Coach:
    """Where somebody is in their lessons."""

    lessons: Sequence[Lesson] | None = None
    """What is taught; None for what the game at the table has."""
    is_quiet: bool = False
    """Whether the player has sent it away; it can be called back."""
    _done: set[str] = attrs.field(factory=set, init=False)
    _met: dict[str, int] = attrs.field(factory=dict, init=False)
    """How many answers had been given when a lesson was first shown."""
    _answers: int = attrs.field(default=0, init=False)
    _ask_id: int | None = attrs.field(default=None, init=False)
    _shown: Lesson | None = attrs.field(default=None, init=False)

    def begin(self, view: TableView | None, context: Context | None) -> None:
        """
        Take up a table that was followed before: look at each question that stood there.

        Args:
            view: with the log so far; None for none.
            context: where keys went while it was asked; None in plain mode.
        """
        table = Table()
        for record in view.records if view is not None else ():
            before, table = table, fold(table, record)
            if view is not None and table.room.ask is not before.room.ask:
                self.look(Glance(TableView(view.room_id, view.seat, table), context))
        self._shown = None

    def look(self, glance: Glance) -> Lesson | None:
        """Return the lesson to show now, the same until something has changed; None for none."""
        if self._ask_id not in {None, glance.ask_id}:
            self._answers += 1
        self._ask_id = glance.ask_id
        due = (
            one
            for one in self._lessons_at(glance)
            if not self._is_past(one, glance) and _suits(one, glance)
        )
        self._shown = None if self.is_quiet else next(due, None)
        if self._shown is not None:
            self._met.setdefault(self._shown.name, self._answers)
        return self._shown

    def _lessons_at(self, glance: Glance) -> Sequence[Lesson]:
        if self.lessons is not None:
            return self.lessons
        if glance.view is None:
            return ()
        return face_of(glance.view.table.room.ruleset).lessons_for(glance.view.role)

    def _is_past(self, lesson: Lesson, glance: Glance) -> bool:
        if lesson.name in self._done:
            return True
        # A line that was printed stays where it can be read, and is not printed twice.
        patience = min(lesson.patience, 1) if glance.is_plain else lesson.patience
        met = self._met.get(lesson.name)
        return bool(patience) and met is not None and self._answers - met >= patience

    def heard(self, action: Action) -> None:
        """Know what the player has done."""
        if self._shown is not None and action in self._shown.does:
            self._done.add(self._shown.name)

    def go_on(self) -> bool:
        """Put the lesson that is shown away as read; return whether there was one."""
        if self._shown is None:
            return False
        self._done.add(self._shown.name)
        return True

    def switch(self) -> bool:
        """Go away, or come back; return whether it is there now."""
        self.is_quiet = not self.is_quiet
        return not self.is_quiet


def _suits(lesson: Lesson, glance: Glance) -> bool:
    has_words = lesson.has_plain or not glance.is_plain
    return has_words and lesson.moment(glance)


def words_of(lesson: Lesson, locale: Locale, *, is_plain: bool) -> str:
    """Return a lesson in words: with the keys that hold, or in plain mode with the commands."""
    if not is_plain:
        return locale.say(f"coach.{lesson.name}")
    said = locale.say(f"coach.plain.{lesson.name}")
    return _COMMAND.sub(lambda match: locale.say(f"plain.word.{match[1]}"), said)
