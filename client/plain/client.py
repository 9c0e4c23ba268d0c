"""
Plain mode: the same game as lines of text, for pipes, slow lines and screen readers.

`news` prints what is new, then the open question with numbered choices. Typed lines wait until the
one before has taken effect, so that a script needs no pauses. Nothing here knows a terminal, a file
or a loop: lines come in through `hear`, and go out through `emit`.
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

NO_QUESTION = -1
"""`question_id` where nothing is asked."""


@attrs.define(eq=False)
class PlainClient:
    """One player at a keyboard, or a script in a pipe."""

    model: ClientModel
    port: ClientPort
    emit: Callable[[str], None]
    """Takes one line that is safe to print."""
    coach: Coach | None = None
    """Teaches a new player what to type; None for nobody."""
    environment: Environment = attrs.field(factory=Environment)
    _talk: Talk = attrs.field(init=False)
    _news: News = attrs.field(init=False)
    _lines: deque[tuple[str, int | None]] = attrs.field(factory=deque, init=False)
    """Typed lines not carried out yet, each with the question it is for; see `hear`."""
    _is_ended: bool = attrs.field(default=False, init=False)
    _is_busy: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        """Subscribe to the model."""
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
        self.model.on_change.append(self.look)

    def stop(self) -> None:
        """Unsubscribe from the model."""
        for follower in (self._talk.journal_lines, self._talk.watch):
            self.model.followers.remove(follower)
        self.model.on_change.remove(self.look)

    @property
    def is_done(self) -> bool:
        """Whether the player has left."""
        return self._talk.is_over

    @property
    def question_id(self) -> int:
        """The id of the question that is open and printed; NO_QUESTION for none."""
        listing = self._talk.listing()
        return NO_QUESTION if listing is None else listing.ask_id

    def complete(self, typed: str) -> tuple[int, tuple[str, ...]]:
        """Return how many characters at the end of a line to replace, and the candidates."""
        return completions(self._talk, typed)

    def hear(self, line: str, begun: int | None = None) -> None:
        """
        Queue a typed line.

        Args:
            line: without its end.
            begun: `question_id` when the first key of the line was pressed; None if unknown, as in
                a pipe. An answer is not given if another question is open by the time it is due.
        """
        if not self.model.is_online:
            if self._news.is_lost and begun is not None and commands.is_reading(self._talk, line):
                # A person who reads on need not wait for what they typed before.
                commands.do(self._talk, line, begun)
                return
            if self._lines or not commands.is_reading(self._talk, line):
                self._talk.tell("plain.held")
        self._lines.append((line, begun))
        self._work()

    def pasted(self, block: str) -> list[str]:
        """
        Return a pasted block as lines to hear.

        Talk or an invitation is one line, and so is what begins with neither a command nor a
        number: the lines of a text could answer whatever is asked. Everything else is a script.
        """
        lines = block.split("\n")
        return lines if commands.is_script(self._talk, lines) else [" ".join(block.split())]

    def end(self) -> None:
        """Mark the end of the input: leave once all typed lines are carried out."""
        self._is_ended = True
        self._work()

    def look(self) -> None:
        """Print what is new, then carry out typed lines."""
        self._news.print(is_by_command=self._is_busy)
        self._work()

    def _work(self) -> None:
        if self._is_busy:
            return
        self._is_busy = True
        try:
            while not self.is_done and (self._talk.later or self._lines):
                if self.model.is_online or not self._lines:
                    is_ready = self._is_idle()
                else:
                    # Without a connection, only reading commands can run.
                    is_ready = commands.is_reading(self._talk, self._lines[0][0])
                if not is_ready:
                    break
                if self._talk.later and self._is_idle():
                    self._talk.later.pop(0)()
                else:
                    commands.do(self._talk, *self._lines.popleft())
            has_quit = any(commands.is_quit(self._talk, line) for line, _ in self._lines)
            if not self.model.is_online and (self._is_ended or has_quit):
                # Nobody is kept from leaving by commands that wait for a connection.
                self._talk.is_over = True
            if self._is_ended and not self._lines and not self._talk.later and self._is_idle():
                self._talk.is_over = True
        finally:
            self._is_busy = False

    def _is_idle(self) -> bool:
        """Return whether everything sent so far has taken effect."""
        view = self.model.view
        is_quiet = not self.model.sent and not self.model.is_catching_up
        is_starting = view is not None and view.table.room.stage is Stage.STARTING
        return self.model.is_online and is_quiet and not is_starting
