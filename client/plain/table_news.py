"""Prints the news of the followed table: the journal, then the open question or the wait."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import attrs

from client.journal.missed import missed
from client.journal.proposals import proposed
from client.journal.so_far import story_so_far
from client.model.standing_answers import answer_of
from client.model.tables import TableView
from client.plain import words
from client.plain.talk import Talk
from client.plugs.face import face_of
from client.plugs.lessons import Glance, Lesson
from client.settings.table_settings import looking_on
from client.teaching.coach import words_of
from client.tellers.base import JournalLine
from protocol.common.events import PresenceChanged, Proposed, SeatTaken
from protocol.common.table import Stage

MOST_AT_ONCE = 20
"""The maximum number of journal lines printed at once while the client catches up."""
LAST_LINES = 5
"""The number of lines printed if there are more lines than the maximum."""
MOST_SINCE = 60
"""The maximum number of lines printed after an absence."""
PROGRESS_EVERY = 2000
"""The number of records between two progress reports while the client catches up."""


@attrs.define
class ToldBefore:
    """News that was already printed, so that the next table does not repeat it."""

    lesson: Lesson | None = None
    invitations: set[str] = attrs.field(factory=set, repr=False)


@attrs.define(eq=False)
class TableNews:
    """The printer of the news of one table; prints each piece of news once."""

    talk: Talk
    view: TableView
    before: ToldBefore
    asked: object = None
    """Identifies the question, wait or step that was printed last."""
    _last_told: int = attrs.field(default=-1, init=False)
    """The sequence of the last printed journal line."""
    _just_told: frozenset[int] = attrs.field(default=frozenset(), init=False)
    """The sequences of the journal lines printed by the last call of `print_journal`."""
    _is_behind: bool = attrs.field(default=True, init=False)
    """True while older records arrive. At most the last of their journal lines are printed."""
    _reported: int = attrs.field(default=0, init=False)
    """The number of records at the last progress report."""
    _proposal: int = attrs.field(default=-1, init=False)
    _is_new: bool = attrs.field(default=True, init=False)
    """True until the client has printed something about the table."""
    _is_waiting: bool = attrs.field(default=False, init=False)
    """True if the client has printed that the game waits for other players."""
    _awaited: frozenset[int] = attrs.field(default=frozenset(), init=False)
    """The seats for which the client last said that the game waits."""
    _answered: int = attrs.field(default=-1, init=False)
    """The last question to which a standing answer was given."""
    _votes_differ: bool = attrs.field(default=False, init=False)

    def print_journal(self) -> None:
        """Print the new lines of the journal, or the progress of catching up."""
        self._just_told = frozenset()
        if self.talk.model.is_catching_up:
            self._is_behind = True
            have = self.view.last + 1
            if have - self._reported >= PROGRESS_EVERY:
                self._reported = have
                self.talk.tell("plain.catching_up", have, self.talk.model.next_sequence)
            return
        lines = self.talk.journal_lines.lines
        # By sequence, not by count: in another language the journal may have more or fewer lines.
        come = lines[bisect_right(lines, self._last_told, key=lambda line: line.sequence) :]
        fresh = self._caught_up(come) if self._is_behind else come
        stray = self._stray_presence(fresh[0].sequence) if fresh else frozenset()
        fresh = [line for line in fresh if line.sequence not in stray]
        self._last_told = lines[-1].sequence if lines else -1
        self._is_behind = self._is_behind and not lines
        self._just_told = frozenset(line.sequence for line in fresh)
        ruleset = self.view.table.room.ruleset
        self.talk.print(words.journal_lines(fresh, self.talk.speaker, ruleset))

    def _stray_presence(self, first: int) -> frozenset[int]:
        """
        Return the records since `first` whose lines about presence tell a listener nothing new.

        These are the player's own arrivals and departures, the arrival of somebody who has just sat
        down, and after a game everybody's arrivals and departures.
        """
        stray, sat = set[int](), set[int]()
        is_over = self.view.table.room.stage is Stage.OVER
        # From one record earlier, which may seat the player whose arrival comes first.
        start = bisect_left(self.view.records, first, key=lambda record: record.sequence)
        for record in self.view.records[max(0, start - 1) :]:
            match record.event:
                case SeatTaken() as taken:
                    sat.add(taken.seat)
                case PresenceChanged() as change:
                    is_told = change.is_present and change.seat in sat
                    sat.discard(change.seat)
                    if is_over or is_told or change.seat == self.view.seat:
                        stray.add(record.sequence)
                case _:
                    pass
        return frozenset(stray)

    def print_table(self) -> None:
        """Print invitations, proposal, lesson, and the question or next step of the table."""
        view, model, speaker = self.view, self.talk.model, self.talk.speaker
        if model.is_catching_up or not view.records:
            return
        room = view.table.room
        # Tell a spectator once that they have no seat.
        if self._is_new and view.seat is None and room.stage is not Stage.LOBBY:
            self.talk.print([looking_on(model.locale, room.settings, model.key)])
        self._is_new = False
        for about, line in words.invitation_lines(speaker, model, view):
            if line not in self.before.invitations:
                self.before.invitations.add(line)
                self.talk.print([about, line])
        self._print_proposal()
        differ = view.can_call_tiebreak()
        if differ and not self._votes_differ:
            self.talk.tell("plain.differ", self.talk.word("lot"))
        self._votes_differ = differ
        # What the coach says comes before the question that it is about.
        coach = self.talk.coach
        lesson = None if coach is None else coach.lesson_for(Glance(view))
        if lesson is not None and lesson is not self.before.lesson:
            said = words_of(lesson, model.spoken, is_plain=True)
            self.talk.print(["", model.locale.say("coach.line", said)])
        self.before.lesson = lesson
        if room.stage is Stage.LOBBY:
            # The table once, then each next step that differs from the last.
            step = words.next_step(speaker, model, view)
            if self.asked is None:
                self.talk.print_for("claim", words.lobby_lines(speaker, model, view))
            elif self.asked != step:
                self.talk.print([step])
            self.asked = step
        elif room.stage is not Stage.STARTING and not self._answers_by_itself():
            self._print_question()

    def _caught_up(self, fresh: Sequence[JournalLine]) -> Sequence[JournalLine]:
        """Return the new journal lines to print after catching up; say how many are left out."""
        journal, was_here = self.talk.word("journal"), self._last_told >= 0
        since = [] if was_here else missed(self.view, fresh)
        if was_here and len(fresh) > MOST_AT_ONCE:
            since = list(fresh)
        told = [] if was_here or since else story_so_far(self.view, fresh)
        if told:
            key = "plain.story_last" if len(told) > MOST_SINCE else "plain.story_so_far"
            self.talk.tell(key, len(told), self.talk.word("story"), MOST_SINCE)
            return told[-MOST_SINCE:]
        if len(since) > MOST_SINCE:
            self.talk.tell("plain.since_last", len(since), journal, MOST_SINCE)
        elif since:
            self.talk.tell("plain.since", len(since), journal)
        elif len(fresh) > MOST_AT_ONCE:
            self.talk.tell("plain.so_far", len(fresh), journal)
            return fresh[-LAST_LINES:]
        return since[-MOST_SINCE:] or fresh

    def _print_proposal(self) -> None:
        view, proposal = self.view, self.view.table.room.proposal
        if proposal is None or proposal.proposal_id == self._proposal:
            return
        self._proposal = proposal.proposal_id
        if view.seat not in {None, proposal.by}:
            # Of no record if it is older than those held here.
            proposed_at = next(
                (
                    record.sequence
                    for record in reversed(view.records)
                    if isinstance(record.event, Proposed)
                    and record.event.proposal.proposal_id == proposal.proposal_id
                ),
                None,
            )
            # The journal says the same, but not to somebody who comes too late for its line.
            if proposed_at not in self._just_told:
                self.talk.print([proposed(self.talk.speaker, view.table, proposal)])
            self.talk.tell("plain.consent_hint")

    def _answers_by_itself(self) -> bool:
        """Give the standing answer to a question, once; return whether it answers the question."""
        view, talk = self.view, self.talk
        question, ask = view.my_question(), view.ask
        answers = talk.model.answers.get(view.room_id, ())
        picks = answer_of(view, answers, face_of(view.table.room.ruleset).standing)
        if picks is None or question is None or ask is None:
            return False
        if ask.ask_id == self._answered:
            # A refused answer leaves the question to the player.
            return talk.model.is_answering
        self._answered = ask.ask_id
        texts = (one.text for one in question.choices if one.choice_id in picks)
        talk.tell("plain.standing_answer", ", ".join(map(talk.speaker.text, texts)))
        talk.port.answer(ask.ask_id, picks)
        return True

    def _print_question(self) -> None:
        """Print the question, or the awaited players, if it was not the last thing printed."""
        view, talk = self.view, self.talk
        room, question, ask = view.table.room, view.my_question(), view.ask
        if ask is None and room.stage is Stage.PLAYING:
            return
        now: tuple[object, ...] = (room.stage, room.stands_still)
        offered = question if view.may_interrupt else None
        if view.may_interrupt:
            # The table does not wait for the player, and needs no answer.
            question = None
        if ask is not None and offered is not None and offered.choices:
            now += ("may interrupt", ask.ask_id, view.seat)
        elif ask is not None and question is not None:
            now += (ask.ask_id, view.seat)
        elif ask is not None:
            # A wait is the same as long as the same people are awaited, whatever they are asked:
            # nobody wants to hear each time that it is still somebody else's turn.
            now += ("wait", *ask.waiting_for)
        if now == self.asked:
            return
        self.asked = now
        if question is not None:
            if view.is_practice:
                talk.print([words.speaking_line(talk.speaker, view)])
            talk.ask(view, question)
            talk.print(words.left_line(talk.speaker, view, talk.watch))
            if self._is_waiting:
                talk.environment.ring()
            self._is_waiting = False
            if ask is not None and not ask.settle.can_pass:
                self._awaited = frozenset()
            return
        talk.shown = None
        waited = [room.seats[seat] for seat in ask.waiting_for if seat in room.seats] if ask else []
        # Bots alone answer at once.
        if not waited or not all(seat.is_bot for seat in waited) or room.stands_still:
            self._is_waiting = True
            awaited = frozenset(seat.seat for seat in waited)
            # Who passes or votes is told by the journal; nobody wants to hear after each pass who
            # is left.
            is_told = bool(awaited) and awaited <= self._awaited and not room.stands_still
            if not is_told:
                talk.print([words.waiting_line(talk.speaker, view)])
            if not is_told or ask is None or not ask.settle.can_pass:
                self._awaited = frozenset() if room.stands_still else awaited
        if offered is not None and offered.choices and not room.stands_still:
            talk.ask(view, offered)
