"""
Plain mode: the same game as lines of text, for pipes, slow lines and screen readers.

What happens is printed as it comes, then the open question with numbered choices. Lines that are
typed wait until the one before has had its effect, so that a script needs no pauses. Nothing here
knows a terminal, a file or a loop: lines come in through `hear`, and go out through `emit`.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable

import attrs

from client import plain_words as words
from client.coach import Coach, words_of
from client.journal import Journal
from client.lessons import Glance, Lesson
from client.model import ANY_SEAT, WATCH, Bar, ClientModel
from client.plain_commands import PlainPort, Talk
from client.status import Connecting, Disconnected, GaveUp, LoggingIn, Online, Status
from client.tables import TableView
from protocol.common.table import Stage

_INVITE = {ANY_SEAT: "waiting_room.invite", WATCH: "waiting_room.watch"}
"""What is said before an invitation that is for no seat in particular."""


@attrs.define(eq=False)
class PlainClient:
    """One player at a keyboard, or a script in a pipe."""

    model: ClientModel
    port: PlainPort
    emit: Callable[[str], None]
    """Takes one line that is safe to print."""
    coach: Coach | None = None
    """Who tells somebody new what they can type; None for nobody."""
    _talk: Talk = attrs.field(init=False)
    _told: int = attrs.field(default=-1, init=False)
    """The record of which the last line of the journal was printed."""
    _lines: deque[str] = attrs.field(factory=deque, init=False)
    _is_ended: bool = attrs.field(default=False, init=False)
    _is_busy: bool = attrs.field(default=False, init=False)
    _status: type[Status] | None = attrs.field(default=None, init=False)
    _bar: Bar = attrs.field(init=False)
    _view: TableView | None = attrs.field(default=None, init=False)
    _asked: object = attrs.field(default=None, init=False)
    """Which question, or which wait, was printed last."""
    _lesson: Lesson | None = attrs.field(default=None, init=False)
    """What the coach said last."""
    _proposal: int = attrs.field(default=-1, init=False)
    _invitations: set[str] = attrs.field(factory=set, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Listen to the model."""
        self._bar = self.model.bar
        journal = Journal(lambda: self.model.speaker)
        journal.begin(self.model.view)
        self._talk = Talk(self.model, self.port, self.emit, journal, self.coach)
        self.model.followers.append(journal)
        self.model.on_change.append(self.look)

    def stop(self) -> None:
        """Listen no more."""
        self.model.followers.remove(self._talk.journal_lines)
        self.model.on_change.remove(self.look)

    @property
    def is_done(self) -> bool:
        """Whether the player has left."""
        return self._talk.is_over

    # What comes in

    def hear(self, line: str) -> None:
        """Take a line that was typed."""
        self._lines.append(line)
        self._work()

    def end(self) -> None:
        """Know that nothing more will be typed: leave once all is done that was typed."""
        self._is_ended = True
        self._work()

    def look(self) -> None:
        """Print what is new, then go on with what was typed."""
        self._tell_status()
        self._tell_journal()
        self._tell_bar()
        self._tell_table()
        self._work()

    # What is told

    def _tell_status(self) -> None:
        status = self.model.status
        if type(status) is self._status:
            return
        self._status = type(status)
        match status:
            case Online(server_name=name):
                self._talk.tell("plain.online", name, self.model.name)
                self._talk.later.append(self._greet)
            case Disconnected(retry_seconds=float(retry), reason=reason):
                self._talk.tell("plain.offline", reason, round(retry))
            case GaveUp(reason=reason):
                self._talk.print([reason])
                self._talk.is_over = True
            case Connecting() | LoggingIn() | Disconnected():
                pass

    def _greet(self) -> None:
        if self.model.view is None:
            self._talk.tell("plain.greeting")
            self._talk.print(words.tables_lines(self._talk.speaker, self.model))

    def _tell_journal(self) -> None:
        if self._view is not self.model.view:
            self._view, self._told = self.model.view, -1
            self._asked, self._proposal, self._talk.shown = None, -1, None
        lines = self._talk.journal_lines.lines
        # By record: in another language it may have fewer lines, or more.
        fresh = lines[bisect_right(lines, self._told, key=lambda line: line.sequence) :]
        self._told = lines[-1].sequence if lines else -1
        self._talk.print(words.journal_line(line, self._talk.speaker) for line in fresh)

    def _tell_bar(self) -> None:
        if self.model.bar is not self._bar:
            self._bar = self.model.bar
            # Invitations are printed themselves; there is nothing to press for them.
            if self._bar.text and self._bar.text != self.model.locale.say("invitation.made"):
                self._talk.print([self._bar.text])

    def _tell_table(self) -> None:
        view = self.model.view
        if view is None or self.model.is_catching_up or not view.records:
            return
        self._tell_invitations(view)
        self._tell_proposal(view)
        self._tell_lesson(view)
        stage = view.table.room.stage
        if stage is Stage.LOBBY:
            if self._asked != "lobby":
                self._asked = "lobby"
                self._talk.print(words.lobby_lines(self._talk.speaker, self.model, view))
        elif stage is not Stage.STARTING:
            self._tell_question(view)

    def _tell_invitations(self, view: TableView) -> None:
        if self.model.is_solo:
            return
        for seat, code in self.model.codes.get(view.room_id, {}).items():
            line = self.model.invitation(seat)
            if not line or code in self._invitations:
                continue
            self._invitations.add(code)
            if seat in _INVITE:
                self._talk.tell(_INVITE[seat])
            else:
                self._talk.tell("plain.invite_seat", self._talk.speaker.seat(view.table, seat))
            self._talk.print([line])

    def _tell_proposal(self, view: TableView) -> None:
        proposal = view.table.room.proposal
        if proposal is not None and proposal.proposal_id != self._proposal:
            self._proposal = proposal.proposal_id
            if view.seat not in {None, proposal.by}:
                self._talk.print([words.proposal_line(self._talk.speaker, view, proposal)])
                self._talk.tell("plain.consent_hint")

    def _tell_lesson(self, view: TableView) -> None:
        """Print what the coach says, before the question that it is about."""
        lesson = None if self.coach is None else self.coach.look(Glance(view))
        if lesson is not None and lesson is not self._lesson:
            said = words_of(lesson, self.model.locale, is_plain=True)
            self._talk.print(["", self.model.locale.say("coach.line", said)])
        self._lesson = lesson

    def _tell_question(self, view: TableView) -> None:
        """Print the question, or who is waited for, when it is another than before."""
        ask, question = view.ask, view.my_question()
        state = (
            view.table.room.stage,
            view.table.room.is_paused,
            ask.ask_id if ask else None,
            question is not None,
        )
        if state == self._asked or (ask is None and view.table.room.stage is Stage.PLAYING):
            return
        self._asked = state
        if question is None:
            self._talk.shown = None
            self._talk.print([words.waiting_line(self._talk.speaker, view)])
        else:
            self._talk.ask(view, question)

    # Working through what was typed

    def _work(self) -> None:
        if self._is_busy:
            return
        self._is_busy = True
        try:
            while not self.is_done and self._is_idle() and (self._talk.later or self._lines):
                if self._talk.later:
                    self._talk.later.pop(0)()
                else:
                    self._talk.do(self._lines.popleft())
            if not self.model.is_online:
                self._do_offline()
            if self._is_ended and not self._lines and not self._talk.later and self._is_idle():
                self._talk.is_over = True
        finally:
            self._is_busy = False

    def _is_idle(self) -> bool:
        """Whether all that was said so far has had its effect."""
        is_quiet = not self.model.sent and not self.model.is_catching_up
        is_starting = self._view is not None and self._view.table.room.stage is Stage.STARTING
        return self.model.is_online and is_quiet and not is_starting

    def _do_offline(self) -> None:
        """Without a line, only leave; everything else waits for it."""
        if self._is_ended or any(self._talk.command_of(line)[0] == "quit" for line in self._lines):
            self._talk.is_over = True
