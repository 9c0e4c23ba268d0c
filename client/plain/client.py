"""
Plain mode: the same game as lines of text, for pipes, slow lines and screen readers.

`news` prints what is new, then the open question with numbered choices. A typed line waits until
the previous line has taken effect, so that a script needs no pauses. This module knows no terminal,
file or loop: lines come in through `hear`, and go out through `emit`.
"""

from collections import deque
from collections.abc import Callable

import attrs

from client.journal.journal import Journal
from client.model.model import ClientModel
from client.model.waiting import Watch
from client.net.client_port import ClientPort
from client.plain import commands
from client.plain.complete import completions
from client.plain.news import News
from client.plain.talk import Environment, Talk
from client.teaching.coach import Coach
from protocol.common.table import Stage

GUARD_SECONDS = 0.4
"""The number of seconds after a question is printed in which nobody can have read it."""
NO_QUESTION = -1
"""The value of `question_id` if no question is open."""


@attrs.frozen
class _TypedLine:
    """A line that waits to be carried out."""

    line: str
    begun: int | None
    """The question that was open when the player began the line; see `PlainClient.hear`."""
    is_quit: bool


@attrs.define(eq=False)
class PlainClient:
    """One player at a keyboard, or a script in a pipe."""

    model: ClientModel
    port: ClientPort
    emit: Callable[[str], None]
    """Prints one line that is safe for a terminal."""
    coach: Coach | None = None
    """Teaches a new player what to type; None if there is no coach."""
    environment: Environment = attrs.field(factory=Environment)
    _talk: Talk = attrs.field(init=False)
    _news: News = attrs.field(init=False)
    _lines: deque[_TypedLine] = attrs.field(factory=deque, init=False)
    _is_ended: bool = attrs.field(default=False, init=False)
    _is_busy: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        journal = Journal(lambda: self.model.speaker)
        journal.begin(self.model.view)
        watch = Watch(self.environment.now)
        watch.begin(self.model.view)
        if self.coach is not None:
            self.coach.begin(self.model.view, None)
        self._talk = Talk(
            self.model, self.port, self.emit, journal, watch, self.coach, self.environment
        )
        self._news = News(self._talk, commands.remind)
        self.model.followers += [journal, watch]
        self.model.on_change.append(self.update)

    def stop(self) -> None:
        """Unsubscribe from the model."""
        for follower in (self._talk.journal_lines, self._talk.watch):
            self.model.followers.remove(follower)
        self.model.on_change.remove(self.update)

    @property
    def is_done(self) -> bool:
        return self._talk.is_over

    @property
    def question_id(self) -> int:
        """The id of the question that is open and printed; NO_QUESTION if there is none."""
        listing = self._talk.listing()
        return NO_QUESTION if listing is None else listing.ask_id

    @property
    def readable_id(self) -> int:
        """
        The id of the question for which a key pressed now can be meant; NO_QUESTION for none.

        A question that was asked again in the same words has the id of the first time.

        Every question numbers its choices from 1, so a number typed before anybody can have read a
        new question is not meant for it.
        """
        is_new = self._talk.environment.now() - self._talk.asked_at < GUARD_SECONDS
        is_none = is_new or self._talk.listing() is None
        return NO_QUESTION if is_none else self._talk.asked_since

    def complete(self, typed: str) -> tuple[int, tuple[str, ...]]:
        """Return the number of characters to replace at the end of a line, and the candidates."""
        return completions(self._talk, typed)

    def hear(self, line: str, begun: int | None = None) -> None:
        """
        Queue a typed line. Without a connection, carry out at once a command that only reads.

        Args:
            line: the line without its end.
            begun: `readable_id` when the first key of the line was pressed; None if unknown, as in
                a pipe. If another question is open when the line is carried out, the line does not
                count as an answer.
        """
        if not self.model.is_online:
            if self._news.is_lost and begun is not None and commands.is_reading(self._talk, line):
                # A person who reads on need not wait for what they typed before.
                commands.do(self._talk, line, begun)
                return
            if self._lines or not commands.is_reading(self._talk, line):
                self._talk.tell("plain.held")
        # Only once: a script in a pipe may have thousands of lines that wait.
        self._lines.append(_TypedLine(line, begun, commands.is_quit(self._talk, line)))
        self._work()

    def split_pasted(self, block: str) -> list[str]:
        """
        Split a pasted block into lines for `hear`.

        Chat or an invitation stays one line. A block that begins with neither a command nor a
        number also stays one line, because the lines of a text could answer questions by accident.
        Any other block is a script.
        """
        lines = block.split("\n")
        return lines if commands.is_script(self._talk, lines) else [" ".join(block.split())]

    def end(self) -> None:
        """Mark the end of the input: leave once all typed lines are carried out."""
        self._is_ended = True
        self._work()

    def update(self) -> None:
        """Print what is new, then carry out typed lines."""
        self._news.print(is_by_command=self._is_busy)
        self._work()

    def _work(self) -> None:
        # A command changes the model, which must not start the next line within this one.
        if self._is_busy:
            return
        self._is_busy = True
        try:
            while not self.is_done and (self._talk.later or self._lines):
                if self.model.is_online or not self._lines:
                    is_ready = self._is_idle()
                else:
                    # Without a connection, only reading commands can run.
                    is_ready = commands.is_reading(self._talk, self._lines[0].line)
                if not is_ready:
                    break
                if self._talk.later and self._is_idle():
                    self._talk.later.pop(0)()
                else:
                    typed = self._lines.popleft()
                    commands.do(self._talk, typed.line, typed.begun)
            if not self.model.is_online and (
                self._is_ended or any(typed.is_quit for typed in self._lines)
            ):
                # Nobody is kept from leaving by commands that wait for a connection.
                self._talk.is_over = True
            if self._is_ended and not self._lines and not self._talk.later and self._is_idle():
                self._talk.is_over = True
        finally:
            self._is_busy = False

    def _is_idle(self) -> bool:
        """Return whether the next typed line can be carried out.

        All requests have their replies, all records have arrived, and no start of a game runs.
        """
        view = self.model.view
        is_quiet = not self.model.sent and not self.model.is_catching_up
        is_starting = view is not None and view.table.room.stage is Stage.STARTING
        return self.model.is_online and is_quiet and not is_starting
