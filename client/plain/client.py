"""
Plain mode: the same game as lines of text, for pipes, slow lines and screen readers.

What happens is printed as it comes, then the open question with numbered choices. Lines that are
typed wait until the one before has had its effect, so that a script needs no pauses. Nothing here
knows a terminal, a file or a loop: lines come in through `hear`, and go out through `emit`.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence

import attrs

from client.journal.journal import Journal
from client.journal.lost import lost_lines
from client.journal.missed import missed
from client.journal.proposals import proposed
from client.model.model import Bar, ClientModel
from client.model.status import Connecting, Disconnected, GaveUp, LoggingIn, Online, Status
from client.model.tables import TableView
from client.model.waiting import Watch
from client.net.causes import in_words, refusal_in_words
from client.net.client_port import ClientPort
from client.plain import commands, words
from client.plain.complete import completions
from client.plain.practice import speaking_line
from client.plain.talk import Environment, Talk
from client.plugs.lessons import Glance, Lesson
from client.settings.table_settings import looking_on
from client.teaching.coach import Coach, words_of
from client.tellers.base import JournalLine
from protocol.common.asks import Question
from protocol.common.events import Proposed
from protocol.common.table import Stage

MOST_AT_ONCE = 20
"""Lines of the journal that are printed where somebody catches up; of more, only the last."""
PROGRESS_EVERY = 2000
"""Records between two lines that say how far the client is that is catching up."""
PROGRESS_SECONDS = 5.0
"""Between two lines that say how much of a file has come."""
LAST_LINES = 5
"""How many these are."""
MOST_SINCE = 60
"""Lines that are printed of what happened while the player was away; of more, only the last."""
NO_QUESTION = -1
"""Stands for the id of a question where nothing is asked."""


@attrs.define(eq=False)
class PlainClient:
    """One player at a keyboard, or a script in a pipe."""

    model: ClientModel
    port: ClientPort
    emit: Callable[[str], None]
    """Takes one line that is safe to print."""
    coach: Coach | None = None
    """Who tells somebody new what they can type; None for nobody."""
    around: Environment = attrs.field(factory=Environment)
    _talk: Talk = attrs.field(init=False)
    _told: int = attrs.field(default=-1, init=False)
    """The record of which the last line of the journal was printed."""
    _told_of: frozenset[int] = attrs.field(default=frozenset(), init=False)
    """The records of which lines were printed at this look."""
    _lines: deque[tuple[str, int | None]] = attrs.field(factory=deque, init=False)
    """What was typed, and for which question; see `hear`."""
    _is_ended: bool = attrs.field(default=False, init=False)
    _is_busy: bool = attrs.field(default=False, init=False)
    _status: type[Status] | None = attrs.field(default=None, init=False)
    _is_lost: bool = attrs.field(default=False, init=False)
    """Whether the player was told that the connection is gone, as long as it is."""
    _is_behind: bool = attrs.field(default=False, init=False)
    """Whether older records have come since, of whose lines no more than the last are printed."""
    _told_of_way: int = attrs.field(default=0, init=False)
    """How many records had come when it was said last how far the client is."""
    _bar: Bar = attrs.field(init=False)
    _view: TableView | None = attrs.field(default=None, init=False)
    _asked: object = attrs.field(default=None, init=False)
    """Which question, or which wait, was printed last."""
    _lesson: Lesson | None = attrs.field(default=None, init=False)
    """What the coach said last."""
    _proposal: int = attrs.field(default=-1, init=False)
    _is_new: bool = attrs.field(default=True, init=False)
    """Whether nothing was told of the table yet."""
    _was_practising: bool = attrs.field(default=False, init=False)
    """Whether a practice game was followed that was entered from the replay."""
    _is_waiting: bool = attrs.field(default=False, init=False)
    """Whether the player was told that somebody else is waited for."""
    _differs: bool = attrs.field(default=False, init=False)
    """Whether all voted and their votes differ."""
    _invitations: set[str] = attrs.field(factory=set, init=False, repr=False)
    _progress_at: float = attrs.field(default=0.0, init=False)
    """When it was said how far something is, or that began."""

    def __attrs_post_init__(self) -> None:
        """Listen to the model."""
        self._bar = self.model.bar
        journal = Journal(lambda: self.model.speaker)
        journal.begin(self.model.view)
        watch = Watch(self.around.now)
        watch.begin(self.model.view)
        if self.coach is not None:
            self.coach.begin(self.model.view, None)
        self._talk = Talk(self.model, self.port, self.emit, journal, watch, self.coach, self.around)
        self.model.followers += [journal, watch]
        self.model.on_change.append(self.look)

    def stop(self) -> None:
        """Listen no more."""
        for follower in (self._talk.journal_lines, self._talk.watch):
            self.model.followers.remove(follower)
        self.model.on_change.remove(self.look)

    @property
    def is_done(self) -> bool:
        """Whether the player has left."""
        return self._talk.is_over

    @property
    def question_id(self) -> int:
        """The id of the question that stands there to be answered; NO_QUESTION for none."""
        listing = self._talk.listing()
        return NO_QUESTION if listing is None else listing.ask_id

    def complete(self, typed: str) -> tuple[int, tuple[str, ...]]:
        """Return how many characters at the end of a line can be replaced, and by which words."""
        return completions(self._talk, typed)

    # What comes in

    def hear(self, line: str, begun: int | None = None) -> None:
        """
        Take a line that was typed.

        Args:
            line: without its end.
            begun: `question_id` as it was when the first key of the line was pressed; None where
                nobody knows, as in a pipe. An answer to another question than the one that is
                open by now is not given.
        """
        if not self.model.is_online:
            if self._is_lost and begun is not None and commands.is_reading(self._talk, line):
                # Whoever sits there and reads need not wait for what they typed before.
                commands.do(self._talk, line, begun)
                return
            if self._lines or not commands.is_reading(self._talk, line):
                self._talk.tell("plain.held")
        self._lines.append((line, begun))
        self._work()

    def end(self) -> None:
        """Know that nothing more will be typed: leave once all is done that was typed."""
        self._is_ended = True
        self._work()

    def look(self) -> None:
        """Print what is new, then go on with what was typed."""
        self._told_of = frozenset()
        is_back = self._was_practising and self._talk.replay is not None
        if self._view is not None and self.model.view is None and not self._is_busy and not is_back:
            # The table went away by itself: who leaves one by a command is told by that.
            self._talk.later.append(self._list_tables)
        self._tell_status()
        self._tell_journal()
        self._tell_bar()
        self._tell_table()
        self._tell_replay()
        self._talk.print(lost_lines(self.model, self.around.wall()))
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
                was_asked = self._asked
                come_back = self._is_lost and self.model.view is not None
                self._talk.later.append(
                    (lambda: self._go_on(was_asked)) if come_back else self._greet
                )
                self._is_lost = False
            case Disconnected(retry_seconds=float(retry), reason=reason) if not self._is_lost:
                # Once, however often it is tried again in vain.
                self._is_lost = True
                why = in_words(self.model.locale, reason)
                self._talk.tell("plain.offline", why, round(retry))
            case GaveUp() as ended:
                self._talk.print([refusal_in_words(self.model.locale, ended)])
                self._talk.is_over = True
            case Connecting() | LoggingIn() | Disconnected():
                pass

    def _greet(self) -> None:
        # Who comes back online while they look back on a game goes on with that.
        if self.model.view is None and self._talk.replay is None:
            self._talk.tell("plain.greeting")
            self._list_tables()

    def _list_tables(self) -> None:
        self._talk.print_for("enter", words.tables_lines(self._talk.speaker, self.model))

    def _go_on(self, was_asked: object) -> None:
        """Say where the player stopped, unless something else was asked meanwhile."""
        if self._asked == was_asked:
            commands.remind(self._talk)

    def _tell_journal(self) -> None:
        if self._view is not self.model.view:
            self._view, self._told, self._is_behind = self.model.view, -1, True
            self._asked, self._proposal, self._talk.shown = None, -1, None
            self._is_new, self._is_waiting, self._differs = True, False, False
            self._told_of_way = 0
        if self._view is None:
            # The journal still has the table that was left.
            return
        if self.model.is_catching_up:
            self._is_behind = True
            self._tell_way()
            return
        lines = self._talk.journal_lines.lines
        # By record: in another language it may have fewer lines, or more.
        come = lines[bisect_right(lines, self._told, key=lambda line: line.sequence) :]
        fresh = self._caught_up(come) if self._is_behind else come
        self._told = lines[-1].sequence if lines else -1
        self._is_behind = self._is_behind and not lines
        self._told_of |= {line.sequence for line in fresh}
        self._talk.print(words.journal_lines(fresh, self._talk.speaker, self._ruleset))

    def _caught_up(self, fresh: Sequence[JournalLine]) -> Sequence[JournalLine]:
        """Say how much of the journal is passed over; return the lines to print."""
        journal, view, was_here = self._talk.word("journal"), self.model.view, self._told >= 0
        since = missed(view, fresh) if view is not None and not was_here else []
        if was_here and len(fresh) > MOST_AT_ONCE:
            since = list(fresh)
        if len(since) > MOST_SINCE:
            self._talk.tell("plain.since_last", len(since), journal, MOST_SINCE)
        elif since:
            self._talk.tell("plain.since", len(since), journal)
        elif len(fresh) > MOST_AT_ONCE:
            self._talk.tell("plain.so_far", len(fresh), journal)
            return fresh[-LAST_LINES:]
        return since[-MOST_SINCE:] or fresh

    def _tell_way(self) -> None:
        """Say now and then how far the client is that is catching up."""
        have = self._view.last + 1 if self._view is not None else 0
        if have - self._told_of_way >= PROGRESS_EVERY:
            self._told_of_way = have
            self._talk.tell("plain.catching_up", have, self.model.next_sequence)

    def _tell_bar(self) -> None:
        if self.model.bar is not self._bar:
            if self.model.bar.is_progress and not self._bar.is_progress:
                self._progress_at = self.around.now()
            self._bar = self.model.bar
            # Invitations are printed themselves, and a lost connection is told with the status.
            known = {"", self.model.locale.say("invitation.made")}
            is_due = not self._bar.is_progress or self._is_progress_due()
            if is_due and self._bar.text not in known and self.model.is_online:
                self._talk.print([self._bar.text])

    def _is_progress_due(self) -> bool:
        """Whether it is time to say how far something is; what is soon done says nothing."""
        now = self.around.now()
        if now - self._progress_at < PROGRESS_SECONDS:
            return False
        self._progress_at = now
        return True

    def _tell_table(self) -> None:
        view = self.model.view
        if view is None or self.model.is_catching_up or not view.records:
            return
        self._tell_role(view)
        self._tell_invitations(view)
        self._tell_proposal(view)
        self._tell_votes(view)
        self._tell_lesson(view)
        stage = view.table.room.stage
        if stage is Stage.LOBBY:
            self._tell_lobby(view)
        elif stage is not Stage.STARTING:
            self._tell_question(view)

    def _tell_replay(self) -> None:
        """Print what is new in the review of the replay that is open."""
        if self._talk.replay is not None and self._talk.replay.review is not None:
            if self._was_practising and not self.model.is_practising:
                self._talk.print(self._talk.replay.here())
            self._was_practising = self.model.is_practising
            self._talk.print(self._talk.replay.review.news())

    def _tell_lobby(self, view: TableView) -> None:
        """Describe the table once, then what to do next whenever that is something else."""
        step = words.next_step(self._talk.speaker, self.model, view)
        if self._asked is None:
            lines = words.lobby_lines(self._talk.speaker, self.model, view)
            self._talk.print_for("claim", lines)
        elif self._asked != step:
            self._talk.print([step])
        self._asked = step

    def _tell_invitations(self, view: TableView) -> None:
        for about, line in words.invitation_lines(self._talk.speaker, self.model, view):
            if line not in self._invitations:
                self._invitations.add(line)
                self._talk.print([about, line])

    def _tell_proposal(self, view: TableView) -> None:
        proposal = view.table.room.proposal
        if proposal is not None and proposal.proposal_id != self._proposal:
            self._proposal = proposal.proposal_id
            if view.seat not in {None, proposal.by}:
                # The journal says the same, but not to somebody who comes too late for it.
                if _proposed_at(view, proposal.proposal_id) not in self._told_of:
                    self._talk.print([proposed(self._talk.speaker, view.table, proposal)])
                self._talk.tell("plain.consent_hint")

    def _tell_votes(self, view: TableView) -> None:
        """Say once that the votes differ, whenever all have voted and they do."""
        differs = view.can_call_tiebreak()
        if differs and not self._differs:
            self._talk.tell("plain.differ", self._talk.word("lot"))
        self._differs = differs

    def _tell_lesson(self, view: TableView) -> None:
        """Print what the coach says, before the question that it is about."""
        lesson = None if self.coach is None else self.coach.look(Glance(view))
        if lesson is not None and lesson is not self._lesson:
            said = words_of(lesson, self.model.spoken, is_plain=True)
            self._talk.print(["", self.model.locale.say("coach.line", said)])
        self._lesson = lesson

    def _tell_role(self, view: TableView) -> None:
        """Say once to somebody without a seat that they have none."""
        if self._is_new and view.seat is None and view.table.room.stage is not Stage.LOBBY:
            settings = view.table.room.settings
            self._talk.print([looking_on(self.model.locale, settings, self.model.key)])
        self._is_new = False

    def _tell_question(self, view: TableView) -> None:
        """Print the question, or who is waited for, when it is another than before."""
        room, question = view.table.room, view.my_question()
        if view.ask is None and room.stage is Stage.PLAYING:
            return
        now = (room.stage, room.stands_still, *_what_is_open(view, question))
        if now == self._asked:
            return
        self._asked = now
        if question is not None:
            if view.is_practice:
                self._talk.print([speaking_line(self._talk.speaker, view)])
            self._talk.ask(view, question)
            self._talk.print(words.left_line(self._talk.speaker, view, self._talk.watch))
            if self._is_waiting:
                self.around.ring()
            self._is_waiting = False
            return
        self._talk.shown = None
        if not _is_bots_turn(view):
            self._is_waiting = True
            self._talk.print([words.waiting_line(self._talk.speaker, view)])

    @property
    def _ruleset(self) -> str:
        return "" if self.model.view is None else self.model.view.table.room.ruleset

    # Working through what was typed

    def _work(self) -> None:
        if self._is_busy:
            return
        self._is_busy = True
        try:
            while not self.is_done and (self._talk.later or self._lines) and self._is_ready():
                if self._talk.later and self._is_idle():
                    self._talk.later.pop(0)()
                else:
                    commands.do(self._talk, *self._lines.popleft())
            if not self.model.is_online:
                self._do_offline()
            if self._is_ended and not self._lines and not self._talk.later and self._is_idle():
                self._talk.is_over = True
        finally:
            self._is_busy = False

    def _is_ready(self) -> bool:
        """Whether the next thing can be done: without a connection, only what needs none."""
        if self.model.is_online or not self._lines:
            return self._is_idle()
        return commands.is_reading(self._talk, self._lines[0][0])

    def _is_idle(self) -> bool:
        """Whether all that was said so far has had its effect."""
        is_quiet = not self.model.sent and not self.model.is_catching_up
        is_starting = self._view is not None and self._view.table.room.stage is Stage.STARTING
        return self.model.is_online and is_quiet and not is_starting

    def _do_offline(self) -> None:
        """Without a connection, nobody is kept from leaving by commands that wait for it."""
        if self._is_ended or any(commands.is_quit(self._talk, line) for line, _ in self._lines):
            self._talk.is_over = True


def _what_is_open(view: TableView, question: Question | None) -> tuple[object, ...]:
    """
    Return what tells one question, or one wait, from another.

    A wait is the same as long as the same people are waited for, whatever they are asked: nobody
    wants to hear each time that it is still not they who are asked.
    """
    ask = view.ask
    if ask is None:
        return ()
    return (ask.ask_id, view.seat) if question is not None else ("wait", *ask.waiting_for)


def _proposed_at(view: TableView, proposal_id: int) -> int | None:
    """Return the record that made a proposal; None where it came before what is known here."""
    for record in reversed(view.records):
        if isinstance(record.event, Proposed) and record.event.proposal.proposal_id == proposal_id:
            return record.sequence
    return None


def _is_bots_turn(view: TableView) -> bool:
    """Return whether nobody but bots is waited for; they take no time."""
    ask, seats = view.ask, view.table.room.seats
    waited = [seats[seat] for seat in ask.waiting_for if seat in seats] if ask else []
    return bool(waited) and all(seat.is_bot for seat in waited) and not view.table.room.stands_still
