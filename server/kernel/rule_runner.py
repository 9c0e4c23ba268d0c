"""
The rule runner: runs the rules of a room from one question to the next.

After an input the runner writes its consequences: the start of a game, the rest of a procedure that
waited for an answer, the next procedures from a checkpoint, an agreement. All of them go to the
writer of the batch. The runner holds only the procedure that waits for an answer; this procedure
can be abandoned, and rebuilt from the log.

Such a chain may be long, so every method that runs rules returns an iterator of steps. A step ends
when a rule pauses, and between procedures. The caller may serve other rooms between two steps;
nobody sees any of the batch before its end.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from protocol.common import events, standing
from protocol.common.asks import Settle
from protocol.common.chance import Stream
from protocol.common.kept_apart import goes_with_secrets
from protocol.common.patience import age_ms, timer_of
from protocol.common.proposals import Aim, Correct, GiveSeat, GiveUp, TakeBack
from protocol.common.table import RoomTable
from protocol.common.text import Text
from protocol.event import Event, cut, hidden, read
from server.kernel.admission.by_ruleset import in_roles
from server.kernel.admission.by_table import voices
from server.kernel.asks import Ask, Picks
from server.kernel.batch_writer import BatchWriter
from server.kernel.chance import Chances, MakeChance, chances_of
from server.kernel.game import Game, Library, Procedure, correction_of
from server.kernel.held import Holding
from server.kernel.steps import Steps

CLOSING_PATIENCE = 16
"""Attempts to close an abandoned coroutine that resists."""


@attrs.define
class Running:
    """A procedure that waits for the answer to its question."""

    game: Game[Any, Any]
    procedure: Procedure
    ask: Ask[Any]
    is_fresh: bool = False
    """True if the procedure has written no event except this question."""
    within: tuple[Text, ...] = ()
    """Effects that were being resolved when the procedure asked."""
    answers: dict[int, tuple[str, ...]] = attrs.field(factory=dict)
    """Choice ids given so far, by seat."""


class RuleRunner:
    """Runs the rules of one room."""

    def __init__(self, library: Library, make_chance: MakeChance, holding: Holding) -> None:
        self._library = library
        self._holding = holding
        self._make_chance = make_chance
        self.running: Running | None = None
        """The procedure that waits for an answer, if any."""
        self._known: tuple[object, Any] = (None, None)
        """The fields that pin the content of the room, and that content."""
        self._worked_out: dict[str, Any] = {}

    def chances_of(self, room: RoomTable, head: bytes) -> Chances:
        """Return the chance of a room whose shares are all open; `head` is the head of its log."""
        fixed = self._library.setup_seed(room.fixed_setup) if room.fixed_setup else None
        return chances_of(room, head, fixed, self._make_chance)

    def follow(self, writer: BatchWriter, happened: Event) -> Steps[None]:
        """Write the consequences of the last input, in steps."""
        if isinstance(happened, events.StartRequested):
            # Committed before any share: the server cannot choose its seeds by the shares.
            writer.write(writer.new_seeds())
        elif isinstance(happened, events.ShareOpened):
            yield from self._start_if_all_open(writer)
        elif isinstance(happened, events.Answered | events.AnsweredTogether):
            yield from self._answer(writer, happened)
        elif isinstance(happened, events.Passed):
            yield from self._settle_if_all_passed(writer)
        elif isinstance(happened, events.Voted):
            ask = writer.table.room.ask
            assert ask is not None
            # None while too few votes agree.
            if ask.decision is not None:
                yield from self._settle(writer, dict.fromkeys(ask.questions, ask.decision))
        elif isinstance(happened, events.TiebreakCalled):
            yield from self._break_tie(writer)
        elif isinstance(happened, events.TimedOut):
            yield from self._time_out(writer)
        else:
            yield from self._follow_agreement(writer, happened)

    def _follow_agreement(self, writer: BatchWriter, happened: Event) -> Steps[None]:
        """Write the consequences of an agreement about the room, or of an operator's decision."""
        if isinstance(happened, events.Proposed | events.Consented | events.AgreedForAbsent):
            yield from self._carry_out_if_agreed(writer)
        elif isinstance(happened, events.PausedSet):
            if happened.is_paused:
                # Set by the clock when a rule failed: goes back to before the failure.
                yield from self._go_back(writer, max(writer.table.checkpoints))
            elif self.running is not None:
                # The same question again: its time limit starts from now.
                yield from self._put_again(writer, self.running)
        elif isinstance(happened, events.OperatorClosed):
            self._end(writer, events.HowClosed.CLOSED)

    # The start

    def _start_if_all_open(self, writer: BatchWriter) -> Steps[None]:
        room = writer.table.room
        assert room.ceremony is not None
        if len(room.ceremony.shares) < len(room.seats):
            return
        # Not before all shares are open, or the last seat could choose its share by the outcome.
        writer.chances = self.chances_of(room, writer.head)
        if room.source is not None:
            writer.write(events.BranchStarted())
            self.shuffle_unknown_piles(writer)
            yield from self.begin(writer)
            return
        roster = self._library.ruleset(room.ruleset).roster(self._library.content(room))
        writer.write(events.GameStarted(in_roles(room, roster), roster.is_apart))
        yield from self.begin(writer)

    # Driving the rules

    def begin(self, writer: BatchWriter) -> Steps[None]:
        """Run procedures from a checkpoint until one asks a question or the game is over."""
        room = writer.table.room
        players = events.players_of(room)
        # Looked up once per scenario: a take-back begins again from a checkpoint.
        pinned = (room.content_hash, room.scenario, room.products_off, room.legacy)
        if self._known[0] != pinned:
            self._known = (pinned, self._library.content(room))
        ruleset, content = self._library.ruleset(room.ruleset), self._known[1]
        self.running = None
        while True:
            # A handle for each procedure, since a handle dies with its procedure.
            game: Game[Any, Any] = Game(writer, content, players, self._worked_out)
            self._correct_if_agreed(writer, game)
            procedure = ruleset.next_procedure(game)
            if procedure is None:
                self._close(writer, events.HowClosed.FINISHED)
                return
            if (yield from self._drive(writer, game, procedure, None)):
                return
            writer.write(events.CheckpointReached())
            yield

    def _drive(
        self,
        writer: BatchWriter,
        game: Game[Any, Any],
        procedure: Procedure,
        picks: Picks[Any] | None,
    ) -> Steps[bool]:
        """Resume a procedure; return True if it asks a question, False if it has ended."""
        before, passed = writer.next_sequence, picks
        while True:
            game.refresh()
            try:
                ask = procedure.send(passed)
            except StopIteration:
                game.kill()
                return False
            except Exception:
                game.kill()
                raise
            if ask is None:
                yield from _pausing(game, procedure)
                # A pause is resumed without the picks, which the procedure has received already.
                passed = None
                continue
            if game.open_timer is not None and game.open_timer.is_over:
                game.open_timer.count_unasked()
                passed = ask.defaults()
                continue
            is_fresh = picks is None and writer.next_sequence == before
            self.running = Running(game, procedure, ask, is_fresh, game.chain)
            self._put(writer, self.running)
            if not self._is_passed(writer):
                return True
            # A loop, not recursion: many questions in a row may be passed without an answer.
            passed = self._picks(writer, _passes(writer.table.room))

    def _put(self, writer: BatchWriter, running: Running) -> None:
        ask, room = running.ask, writer.table.room
        ask_id = room.next_ask_id
        asked = ask.questions(ask_id, room.version).items()
        is_window = ask.settle is Settle.WINDOW
        happened = events.Asked(
            ask_id,
            ask.rule,
            ask.about,
            ask.settle,
            ask.voters,
            {seat: hidden(question) for seat, question in asked},
            # No log of version 1 says it.
            running.within if room.version > 1 else (),
            ask.kind,
            room.settings.window_seconds if is_window else ask.seconds,
            ask.audience,
            decides=ask.decides,
            timer=-1 if room.timer is None or ask.settle.has_seconds else room.timer.timer_id,
        )
        put = writer.write(happened).event
        assert isinstance(put, events.Asked)
        if writer.recorded is not None:
            # In a replay the question of the log stands, which must be one of today's.
            for seat, prompt in ask.prompts.items():
                prompt.check(put.questions[seat].value)
        passed = tuple(seat for seat in ask.prompts if standing.passes(room, seat, ask.kind))
        # Who passes in a window stays secret.
        if passed and not is_window:
            writer.write(events.PassedStanding(ask_id, tuple(sorted(passed))))

    def _put_again(self, writer: BatchWriter, running: Running) -> Steps[None]:
        """Ask the waiting question again and drop the answers so far."""
        running.answers.clear()
        self._put(writer, running)
        yield from self._settle_if_all_passed(writer)

    def _picks(self, writer: BatchWriter, by_seat: Mapping[int, tuple[str, ...]]) -> Picks[Any]:
        """Write that the open question is settled; return the values of the answers `by_seat`."""
        running = self.running
        ask = writer.table.room.ask
        assert running is not None and ask is not None  # noqa: PT018 (one thing)
        writer.write(events.Settled(ask.ask_id))
        return {
            seat: running.ask.prompts[seat].values(ask.questions[seat].value, given)
            # In the order of seats, so that rules cannot depend on who answered first.
            for seat, given in sorted(by_seat.items())
        }

    def _settle(self, writer: BatchWriter, by_seat: Mapping[int, tuple[str, ...]]) -> Steps[None]:
        """Close the question with these answers and resume the rules."""
        picks, running = self._picks(writer, by_seat), self.running
        assert running is not None
        # The procedure asked in an earlier batch, whose writer must not get further events.
        running.game.rebind(writer)
        self.running = None
        if not (yield from self._drive(writer, running.game, running.procedure, picks)):
            writer.write(events.CheckpointReached())
            yield
            yield from self.begin(writer)

    def _end(self, writer: BatchWriter, how: events.HowClosed) -> None:
        """Abandon the waiting procedure and close the game."""
        self.abandon()
        self._close(writer, how)

    def _close(self, writer: BatchWriter, how: events.HowClosed) -> None:
        room = writer.table.room
        assert room.play_seed is not None and room.house_seed is not None  # noqa: PT018 (one thing)
        # The seed of a fixed setup is opened later, once its owner closes the setup.
        committed = (room.play_seed,) if room.fixed_setup else (room.play_seed, room.house_seed)
        seeds = tuple(writer.disclose(seed) for seed in committed)
        writer.write(events.RoomClosed(seeds if room.settings.publish else (), how))

    # Answers

    def _answer(
        self, writer: BatchWriter, answer: events.Answered | events.AnsweredTogether
    ) -> Steps[None]:
        if isinstance(answer, events.AnsweredTogether):
            said = {seat: held.value.choice_ids for seat, held in answer.answers.items()}
            yield from self._settle(writer, said)
            return
        assert self.running is not None
        # The running ask is changed only after the checks; a failed batch rebuilds it.
        self.running.answers[answer.seat] = answer.picks.value
        ask = writer.table.room.ask
        assert ask is not None
        # Secret votes are shown together, once the last one is in.
        if ask.has_ballots:
            if not ask.waiting_for:
                yield from self._count_ballots(writer)
        elif ask.settle.first_settles or not ask.waiting_for:
            yield from self._settle(writer, dict(self.running.answers))

    def _settle_if_all_passed(self, writer: BatchWriter) -> Steps[None]:
        if self._is_passed(writer):
            yield from self._settle(writer, _passes(writer.table.room))

    def _is_passed(self, writer: BatchWriter) -> bool:
        """Return True if all seats pass on the open question, or no seat stops at the window."""
        room = writer.table.room
        if room.ask is not None and room.ask.settle is Settle.WINDOW and writer.recorded:
            # Stops are on no log: in a replay only the next record tells whether they were set.
            return isinstance(writer.recorded.next_event(), events.Settled)
        return _is_passed(room) or self._holding.is_passed(room)

    def _count_ballots(self, writer: BatchWriter) -> Steps[None]:
        """Reveal the sealed votes, and settle the question by votes or by lot."""
        ask = writer.table.room.ask
        assert ask is not None
        shown = tuple(writer.disclose(sealed) for sealed in ask.ballots.values())
        writer.write(events.VotesShown(ask.ask_id, shown))
        # Folding that event has counted the votes, so the ask is another object now.
        ask = writer.table.room.ask
        assert ask is not None
        if ask.decision is None:
            yield from self._break_tie(writer)
        else:
            yield from self._settle(writer, dict.fromkeys(ask.questions, ask.decision))

    def _break_tie(self, writer: BatchWriter) -> Steps[None]:
        """Draw a voter at random; the seat of this voter decides. Rules CONFLICT-3, DECIDE-141."""
        ask = writer.table.room.ask
        assert ask is not None
        # A seat has one chance for each of its characters.
        _, seat = ask.voters[writer.pick("lot", len(ask.voters), Stream.PLAY)]
        # A drawn voter who has not voted decides by the default.
        default = ask.questions[seat].value.default
        choice = ask.votes.get(seat, default)
        yield from self._settle(writer, dict.fromkeys(ask.questions, choice))

    def _time_out(self, writer: BatchWriter) -> Steps[None]:
        ask = writer.table.room.ask
        assert ask is not None and self.running is not None  # noqa: PT018 (one thing)
        timer = self.running.game.open_timer
        if timer is not None and _is_timer_over(writer):
            timer.is_over = True
        if ask.has_ballots:
            yield from self._count_ballots(writer)
        elif ask.has_open_votes:
            yield from self._break_tie(writer)
        elif ask.settle.can_pass:
            yield from self._settle(writer, _passes(writer.table.room))
        else:
            answers = _with_defaults(writer.table.room, self.running.answers)
            yield from self._settle(writer, answers)

    # Agreements

    def _carry_out_if_agreed(self, writer: BatchWriter) -> Steps[None]:
        match _agreed(writer.table.room):
            case Correct():
                # A procedure under way finishes first: its rule may rely on what it has read.
                if self.running is not None and self.running.is_fresh:
                    self.abandon()
                    yield from self.begin(writer)
            case TakeBack(rest):
                yield from self._go_back(writer, rest)
            case GiveSeat() as gift:
                with_secrets = goes_with_secrets(writer.table.room)
                writer.write(
                    events.SeatGiven(gift.seat, gift.name, gift.key, gift.is_bot, with_secrets)
                )
                ask = writer.table.room.ask
                if ask is not None and self.running is not None and gift.seat in ask.questions:
                    # The same question again, so that its new owner can read it.
                    yield from self._put_again(writer, self.running)
            case GiveUp():
                self._end(writer, events.HowClosed.GIVEN_UP)

    def _correct_if_agreed(self, writer: BatchWriter, game: Game[Any, Any]) -> None:
        """Carry out an agreed correction, between two procedures."""
        agreed = _agreed(writer.table.room)
        if isinstance(agreed, Correct):
            writer.write(events.Corrected(agreed.piece, agreed.amount))
            ruleset = self._library.ruleset(writer.table.room.ruleset)
            offered = ruleset.corrections(game.table)
            # The piece may have left the table since they agreed.
            found = correction_of(offered, agreed.piece, agreed.amount)
            if found is not None:
                game.emit(found.event_for(agreed.amount))
            writer.write(events.CheckpointReached())

    def _go_back(self, writer: BatchWriter, checkpoint: int) -> Steps[None]:
        self.abandon()
        writer.write(events.TakenBack(checkpoint))
        writer.has_gone_back = True
        self.shuffle_unknown_piles(writer)
        yield from self.begin(writer)

    def shuffle_unknown_piles(self, writer: BatchWriter) -> None:
        """
        Shuffle the unknown piles, so that knowledge from the abandoned branch is worthless.

        Logs of version 1 shuffle all piles.
        """
        game = writer.table.game
        assert game is not None
        room = writer.table.room
        unknown = self._library.ruleset(room.ruleset).unknown_piles(game)
        # By name: a replay has to draw in the same order.
        for pile, handles in sorted(game.piles.items()):
            if handles and (room.version == 1 or pile in unknown):
                writer.shuffle_unknown(pile)

    def abandon(self) -> None:
        """Drop the waiting procedure; do nothing if none waits."""
        if self.running is not None:
            # The handle is killed first, so that a `finally` in a rule cannot write.
            running, self.running = self.running, None
            running.game.kill()
            _close(running.procedure)


def _is_timer_over(writer: BatchWriter) -> bool:
    """Return True if a time-out, the input of this batch, comes at the end of the open timer."""
    state = writer.state
    room = state.table.room
    timer = timer_of(room)
    if timer is None:
        return False
    # Public parts alone: a log that is verified may lack secrets, such as words of chat.
    records = (read(state.room_id, cut(stored, None)) for stored in reversed(state.log))
    age = age_ms(room, records, writer.time, timer=timer.timer_id)
    return age >= 1000 * timer.seconds


def _pausing(game: Game[Any, Any], procedure: Procedure) -> Steps[None]:
    """Yield while a procedure pauses; close the procedure if the batch is cancelled then."""
    try:
        yield
    except GeneratorExit:
        game.kill()
        _close(procedure)
        raise


def _close(procedure: Procedure) -> None:
    """
    Close an abandoned coroutine, even one that resists.

    A `finally` in a rule may raise because its game is dead, or may await another question.
    """
    for _ in range(CLOSING_PATIENCE):
        try:
            procedure.close()
        except Exception:  # noqa: BLE001, S112 (nobody is left to tell)
            continue
        return


def _is_passed(room: RoomTable) -> bool:
    """Return True if every seat that could act on the open question has passed."""
    return room.ask is not None and room.ask.settle.can_pass and not room.ask.waiting_for


def _passes(room: RoomTable) -> dict[int, tuple[str, ...]]:
    """Return the passing choice of each seat in the open question."""
    assert room.ask is not None
    return {seat: question.value.passing for seat, question in room.ask.questions.items()}


def _with_defaults(
    room: RoomTable, given: Mapping[int, tuple[str, ...]]
) -> Mapping[int, tuple[str, ...]]:
    """Return the answers that count at a time-out: those given, else the defaults."""
    ask = room.ask
    assert ask is not None
    answers = dict(given)
    for seat in ask.waiting_for:
        answers[seat] = ask.questions[seat].value.row_default
    if ask.settle is Settle.ANY_ONE:
        # The lowest seat: a replay must take the same one. Since version 3 it is one that can end
        # the activity, for which the others may wait.
        ends = [seat for seat in answers if not ask.questions[seat].value.may_wait]
        first = min(ends if ends and room.version > 2 else answers)
        return {first: answers[first]}
    return answers


def _agreed(room: RoomTable) -> Aim | None:
    """Return the aim of the open proposal if every asked seat has consented; None otherwise."""
    if room.proposal is None or set(voices(room)) - set(room.proposal.consents):
        return None
    return room.proposal.aim
