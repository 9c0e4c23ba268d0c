"""
Prints the model's news in lines: the connection, the message bar, the table, a review.

Each piece of news is printed once, in an order that helps listeners: first events, then problems,
and the question last, so that a listener can answer at once.
"""

from collections.abc import Callable

import attrs

from client.journal.lost import lost_lines
from client.model.model import Bar, ClientModel
from client.model.status import Connecting, Disconnected, GaveUp, LoggingIn, Online, Status
from client.net.causes import in_words, refusal_in_words
from client.plain import words
from client.plain.table_news import TableNews, ToldBefore
from client.plain.talk import Talk
from protocol.common.templates import Nickname

PROGRESS_SECONDS = 5.0
"""The minimum number of seconds between progress reports of a download."""


@attrs.define(eq=False)
class News:
    """The printer of everything in the model that has changed since the last printing."""

    talk: Talk
    remind: Callable[[Talk], None]
    """Prints where the player is, as a reminder."""
    is_lost: bool = attrs.field(default=False, init=False)
    """True from the report of a lost connection until the connection is back."""
    _status: type[Status] | None = attrs.field(default=None, init=False)
    _bar: Bar = attrs.field(init=False)
    _progress_at: float = attrs.field(default=0.0, init=False)
    """The time of the last progress report, or of the beginning of the download."""
    _table: TableNews | None = attrs.field(default=None, init=False)
    _before: ToldBefore = attrs.field(factory=ToldBefore, init=False)
    _was_practising: bool = attrs.field(default=False, init=False)
    """True if the last followed table was a practice game that was entered from the replay."""

    def __attrs_post_init__(self) -> None:
        """Treat the current text of the message bar as already printed."""
        self._bar = self.model.bar

    @property
    def model(self) -> ClientModel:
        return self.talk.model

    def print(self, *, is_by_command: bool) -> None:
        """
        Print the changes of the model since the last call.

        Args:
            is_by_command: whether a command is being carried out. A command that leaves a table
                prints the list of tables itself, so this method does not.
        """
        is_back = self._was_practising and self.talk.replay is not None
        if (
            self._table is not None
            and self.model.view is None
            and not is_by_command
            and not is_back
        ):
            # Later, because the new list of tables has not arrived yet.
            self.talk.later.append(self._list_tables)
        self._print_status()
        view = self.model.view
        if view is not (None if self._table is None else self._table.view):
            self._table = None if view is None else TableNews(self.talk, view, self._before)
            self.talk.shown = None
        if self._table is not None:
            self._table.print_journal()
        self._print_bar()
        if self._table is not None:
            self._table.print_table()
        replay = self.talk.replay
        if replay is not None and replay.review is not None:
            if self._was_practising and not self.model.is_practising:
                self.talk.print(replay.position_lines())
            self._was_practising = self.model.is_practising
            self.talk.print(replay.review.news())
        self.talk.print(lost_lines(self.model, self.talk.environment.wall()))

    def _print_status(self) -> None:
        status = self.model.status
        if type(status) is self._status:
            return
        self._status = type(status)
        match status:
            case Online(server_name=name):
                self.talk.tell("plain.online", name, Nickname(self.model.name))
                asked, is_back = self._asked, self.is_lost and self.model.view is not None

                def go_on() -> None:
                    if is_back:
                        # Where the player stopped, unless something else was asked meanwhile.
                        if self._asked == asked:
                            self.remind(self.talk)
                    elif self.model.view is None and self.talk.replay is None:
                        # A player who reconnects during a replay continues with that.
                        self.talk.tell("plain.greeting")
                        self._list_tables()

                self.talk.later.append(go_on)
                self.is_lost = False
            case Disconnected(retry_seconds=float(retry), reason=reason) if not self.is_lost:
                # Once, however many attempts fail.
                self.is_lost = True
                why = in_words(self.model.locale, reason)
                self.talk.tell("plain.offline", why, round(retry))
            case GaveUp() as ended:
                self.talk.print([refusal_in_words(self.model.locale, ended)])
                self.talk.is_over = True
            case Connecting() | LoggingIn() | Disconnected():
                pass

    def _list_tables(self) -> None:
        if self.model.view is not None:
            # Another table has been entered meanwhile, such as the next one of the same people.
            return
        self.talk.print_for("enter", words.tables_lines(self.talk.speaker, self.model))

    @property
    def _asked(self) -> object:
        return None if self._table is None else self._table.asked

    def _print_bar(self) -> None:
        bar, before = self.model.bar, self._bar
        if bar is before:
            return
        self._bar, now = bar, self.talk.environment.now()
        if bar.is_progress and not before.is_progress:
            self._progress_at = now
        # Invitations are printed themselves, and a lost connection is told with the status.
        known = {"", self.model.locale.say("invitation.made")}
        is_due = True
        if bar.is_progress:
            # What is soon done says nothing.
            is_due = now - self._progress_at >= PROGRESS_SECONDS
            self._progress_at = now if is_due else self._progress_at
        if is_due and bar.text not in known and self.model.is_online:
            self.talk.print([bar.text])
