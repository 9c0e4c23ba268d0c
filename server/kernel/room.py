"""
The room: one hosted game, from input to batch.

The room checks an input against the table and writes it; the rules then run up to the next
question. The caller makes that batch durable and then commits or discards it; nobody sees any of it
before. If a rule raises, the room rebuilds the rule's coroutine from the log, and refuses the input
with a report number.

The room does no I/O, reads no clock and knows no game.
"""

from collections.abc import Callable, Mapping, Sequence

from protocol.commitments import next_head
from protocol.common import events
from protocol.common.table import RoomTable, Stage, Table, fold
from protocol.event import Event, Record, Stored, read_own
from protocol.values import evolve
from server.kernel.admission.by_ruleset import RulesetAdmission
from server.kernel.admission.by_table import (
    CHECKS,
    check_age,
    check_for_absent,
    check_in_window,
    refuse_unless,
)
from server.kernel.batch_writer import Batch, BatchWriter, Recorded, RoomState
from server.kernel.chance import Chances, Entropy, MakeChance, seeded
from server.kernel.errors import (
    ContentNeeded,
    Diverged,
    LogError,
    RecordNeeded,
    Refused,
    RuleFailed,
    RulesStopped,
    TooManySteps,
    TruncatedLog,
)
from server.kernel.game import Library, Ruleset
from server.kernel.held import Holding
from server.kernel.kept_log import KeptLog
from server.kernel.packed import with_packed
from server.kernel.rest_point import (
    Folding,
    RestPoint,
    sequences_of_seeds,
)
from server.kernel.rule_runner import RuleRunner
from server.kernel.steps import StepBudget, Steps, run_through

Tail = Sequence[tuple[Stored, Record]]
"""The records after a rest point."""


class Room:
    """One hosted game."""

    def __init__(
        self,
        room_id: str,
        library: Library,
        entropy: Entropy,
        *,
        make_chance: MakeChance = seeded,
    ) -> None:
        """Make an empty room; its first input must be `RoomOpened`."""
        self._library = library
        self._entropy = entropy
        self._rest = RestPoint.first(room_id)
        self._state = RoomState.at(room_id, self._rest, KeptLog())
        self._admission = RulesetAdmission(library)
        self.holding = Holding()
        self._runner = RuleRunner(library, make_chance, self.holding)
        self._pending: BatchWriter | None = None
        self.halted: LogError | None = None
        """Why the rules cannot continue; None if they can. Going back or a new start ends it."""

    # What it is

    @property
    def room_id(self) -> str:
        return self._state.room_id

    @property
    def table(self) -> Table:
        """The table after the last committed batch."""
        return self._state.table

    @property
    def head(self) -> bytes:
        """Head of the hash chain after the last committed batch."""
        return self._state.head

    @property
    def log(self) -> KeptLog:
        """All committed records; earlier ones may be in the store alone."""
        return self._state.log

    @property
    def rest(self) -> RestPoint:
        """The last moment at which no rule ran."""
        return self._rest

    @property
    def last_time(self) -> int:
        """Time of the last committed batch, in milliseconds since 1970."""
        return self._state.time

    @property
    def ruleset(self) -> Ruleset:
        return self._library.ruleset(self.table.room.ruleset)

    # Input to batch

    def receive(self, happened: Event, *, time: int, origin: int) -> Batch:
        """Write one input and its whole batch without pausing; see `receiving`."""
        return run_through(self.receiving(happened, time=time, origin=origin))

    def receiving(self, happened: Event, *, time: int, origin: int) -> Steps[Batch]:
        """
        Check one input and write its whole batch, in steps. Commit or discard the batch next.

        The caller may serve other rooms between two steps. Closing the iterator cancels the input
        and changes nothing.

        Args:
            happened: an input event with hidden values.
            time: milliseconds since 1970; a time before the last batch is replaced by the time of
                the last batch.
            origin: the seat that gave the input, CLOCK or OPERATOR.

        Raises:
            Refused: the table or the rules do not allow the input now; nothing has changed.
            RuleFailed: a rule raised; nothing has changed.
            RecordNeeded: the room needs a record that is only in the store; nothing has changed.
        """
        assert self._pending is None, "the last batch is neither committed nor discarded"
        # Times on a log never decrease, even if the wall clock does.
        time = max(time, self._state.time)
        try:
            self._check(happened, origin)
            if isinstance(happened, events.Answered):
                latest = (read_own(self.room_id, stored) for stored in reversed(self.log))
                check_age(self.table.room, latest, happened.seat, time)
            elif isinstance(happened, events.AgreedForAbsent):
                is_halted = self.halted is not None
                check_for_absent(self.table.room, time=time, origin=origin, is_halted=is_halted)
        except (Refused, RecordNeeded):
            raise
        except Exception as error:
            raise RuleFailed(self._report(len(self.log))) from error
        writer = BatchWriter(self._state, time=time, entropy=self._entropy)
        try:
            yield from self._write_with_consequences(writer, happened, origin)
        except (RecordNeeded, GeneratorExit):
            # The coroutine has gone past the last batch and cannot be rewound, only replayed.
            self._rebuild()
            raise
        except Exception as error:
            self._rebuild()
            raise RuleFailed(self._report(writer.next_sequence)) from error
        self._pending = writer
        return writer.batch()

    def _report(self, sequence: int) -> str:
        return f"{self.room_id[:8]}-{sequence}"

    def commit(self) -> None:
        """Make the last batch, which the caller has stored, part of the room."""
        assert self._pending is not None
        self._accept(self._pending)
        self._pending = None

    def discard(self) -> None:
        """Undo the last batch, which could not be stored."""
        assert self._pending is not None
        self._pending = None
        self._rebuild()

    def _accept(self, writer: BatchWriter) -> None:
        state = self._state
        state.log.extend(writer.stored)
        state.table, state.head = writer.table, writer.head
        state.chances = writer.chances
        state.time = writer.time
        stage = state.table.room.stage
        if writer.has_gone_back or stage is Stage.STARTING or stage is Stage.OVER:
            # A game that only begins cannot have diverged yet, and one that is over needs no rules.
            self.halted = None
        if writer.rest is not None:
            self._rest = writer.rest
        # Outside a running game no rule runs, so every batch ends at a rest point.
        elif stage is not Stage.PLAYING and self.halted is None:
            self._rest = state.as_rest_point()

    def recall(self, records: Mapping[int, Stored]) -> None:
        """Keep records from the store in memory until the next rest point."""
        self._state.log.recall(records)

    def forget(self) -> None:
        """
        Drop records before the last rest point from memory, and pack old checkpoints.

        Checkpoints stay unpacked while a batch is pending, or if the table has new ones since the
        rest point.
        """
        seeds = sequences_of_seeds(self.table.room)
        self._state.log.forget(self._rest.end, but=seeds)
        rest, state = self._rest, self._state
        if self._pending is not None or state.table.checkpoints is not rest.table.checkpoints:
            return
        try:
            table = with_packed(rest.table)
        except TypeError:
            # A game that holds a value without a stored form has no snapshots either.
            return
        if table is not rest.table:
            self._rest = evolve(rest, table=table)
            state.table = evolve(state.table, checkpoints=table.checkpoints)

    def _check(self, happened: Event, origin: int) -> None:
        """Refuse an input that is not allowed now. Nothing is written."""
        kind = type(happened)
        if isinstance(happened, events.RoomOpened):
            refuse_unless(not self._state.log, "table/already_open")
            refuse_unless(happened.room_id == self.room_id, "table/another_room")
            CHECKS[kind](self.table, happened)
            return
        # Only kinds with a check are inputs: nobody can submit an event of the rules.
        refuse_unless(self._state.log and kind in CHECKS, "table/unknown_input")
        CHECKS[kind](self.table, happened)
        self._admission.check(self.table, happened, origin, is_halted=self.halted is not None)

    def _write_with_consequences(
        self, writer: BatchWriter, happened: Event, origin: int
    ) -> Steps[None]:
        writer.write(happened, origin=origin)
        yield from self._runner.follow(writer, happened)

    # State that is on no log

    def hold(
        self, ask_id: int, seat: int, picks: tuple[str, ...], *, is_done: bool = False
    ) -> None:
        """Hold a seat's answer. Refused: the game is halted, or no held question offers it."""
        refuse_unless(self.halted is None, "table/halted")
        check_in_window(self.table, ask_id, seat, picks)
        self.holding.keep(ask_id, seat, picks, is_done=is_done)

    def stop_at(self, seat: int, kinds: frozenset[str], *, is_everywhere: bool) -> None:
        """Set the windows at which a seat stops the game; see `Holding.stop`."""
        self.holding.stop(self.table.room, seat, kinds, is_everywhere=is_everywhere)

    def closing(self) -> events.AnsweredTogether:
        """Return the input by which the clock closes the open window."""
        return self.holding.together(self.table.room)

    def decision(self) -> events.Answered | None:
        """Return the input with the held answer of the seat that decides; None if there is none."""
        return self.holding.decision(self.table.room.ask)

    # From log to room

    def _rebuild(self) -> None:
        self._runner.abandon()
        log = self._state.log
        # Replaying the records since the rest point brings the coroutine back to its question.
        tail = [(stored, read_own(self.room_id, stored)) for stored in log.cut_off(self._rest.end)]
        self.replay(self._rest, log, tail)

    def load(self, folding: Folding) -> None:
        """
        Continue at the last rest point of a folded log, and replay the records after it.

        Raises:
            TruncatedLog: the log ends inside a batch.
            RecordNeeded: add that record to `folding.recalled` and repeat this call.
        """
        log = KeptLog(first=folding.rest.end)
        log.recall(folding.recalled)
        self.replay(folding.rest, log, folding.tail)

    def branch_off(self, rest: RestPoint, log: KeptLog) -> None:
        """
        Replay another room's log from a checkpoint with new choices.

        Unknown piles are shuffled first, as after going back.

        Args:
            rest: the checkpoint, with the chance for the branch.
            log: the whole log up to the checkpoint.

        Raises:
            RuleFailed: today's rules cannot continue from there.
        """
        self._rest = evolve(rest, has_gone_back=True)
        self._state = RoomState.at(self.room_id, self._rest, log)
        writer = BatchWriter(self._state, time=rest.time, entropy=self._entropy)
        try:
            self._runner.shuffle_unknown_piles(writer)
            run_through(self._runner.begin(writer))
        except Exception as error:
            self._runner.abandon()
            raise RuleFailed(self._report(writer.next_sequence)) from error
        self._accept(writer)

    def chances_of(self, room: RoomTable, head: bytes) -> Chances:
        """Return the chance of a room that starts; `head` is the head of its log."""
        return self._runner.chances_of(room, head)

    def replay(
        self,
        rest: RestPoint,
        log: KeptLog,
        tail: Tail,
        *,
        from_start: bool = False,
        budget: StepBudget | None = None,
    ) -> None:
        """
        Replay the records after a rest point: run the rules, and compare their events.

        A logged question stays as it is if today's rules offer all its choices. If the rules fail
        or write another event, the room is `halted` at the end of the log; the game resumes from a
        checkpoint once the seats agree.

        Args:
            rest: the rest point.
            log: the log up to the rest point.
            tail: the records after the rest point; words of chat may be shut.
            from_start: raise in place of halting, and compare questions exactly, as a verifier.
            budget: steps that the rules may take; None for any number.

        Raises:
            TruncatedLog: the log ends inside a batch.
            LogError: only with `from_start` or a budget; the rules do not write one of the records.
            RecordNeeded: the room needs a record that is only in the store.
            TooManySteps: the budget is spent.
            ContentNeeded: the library says that it does not have the content.
            MemoryError: there is no more memory, which is no fault of the log.
        """
        run = run_through if budget is None else budget.run_through
        self.halted = None
        self._runner.abandon()
        self._rest = rest
        self._state = RoomState.at(self.room_id, rest, log)
        recorded = Recorded(tail, is_exact=from_start)
        try:
            # In a running game a rest point is the start of a procedure, which needs no input.
            if rest.table.room.stage is Stage.PLAYING:
                writer = BatchWriter(
                    self._state, time=rest.time, entropy=self._entropy, recorded=recorded
                )
                if rest.has_gone_back:
                    self._runner.shuffle_unknown_piles(writer)
                run(self._runner.begin(writer))
                self._accept(writer)
            while recorded.left:
                self._replay_input(recorded, run)
        except (TruncatedLog, RecordNeeded, TooManySteps, ContentNeeded, MemoryError):
            raise
        except Exception as error:
            if budget is not None and not isinstance(error, LogError):
                # The record before which the rules refused or failed.
                at = rest.end + len(tail) - len(recorded.left)
                refused = error.code if isinstance(error, Refused) else ""
                raise RulesStopped(at, refused) from error
            if from_start:
                raise
            self._halt(rest.end, tail, error)

    def _replay_input(self, recorded: Recorded, run: Callable[[Steps[None]], None]) -> None:
        _, record = recorded.left[0]
        if not record.event.is_input:
            raise Diverged(record.sequence, f"a {record.event.tag} that does not follow")
        writer = BatchWriter(
            self._state, time=record.time, entropy=self._entropy, recorded=recorded
        )
        self._check(record.event, record.origin)
        run(self._write_with_consequences(writer, record.event, record.origin))
        self._accept(writer)

    def _halt(self, begin: int, tail: Tail, error: Exception) -> None:
        """
        Halt at the end of the log, which only the rules that wrote it could continue.

        TruncatedLog: the log ends inside a batch.
        """
        self._runner.abandon()
        if not tail or not _may_end(tail[-1][1].event):
            last = tail[-1][1].event.tag if tail else "checkpoint"
            raise TruncatedLog(begin + len(tail), f"the log ends with a {last}") from error
        state = self._state
        at = len(state.log)
        # Folded without the rules, so that everybody still sees the whole log.
        for stored, record in tail[at - begin :]:
            state.log.extend([stored])
            state.head = next_head(state.head, stored.public)
            state.table = fold(state.table, record)
            state.time = record.time
        self.halted = error if isinstance(error, LogError) else Diverged(at, repr(error))


def _may_end(happened: Event) -> bool:
    """Return True if a batch may end with this event, judged by the event alone."""
    if happened.is_input:
        # After these the rules always write something.
        goes_on = (
            events.StartRequested
            | events.TimedOut
            | events.AnsweredTogether
            | events.TiebreakCalled
            | events.OperatorClosed
            | events.AgreedForAbsent
        )
        is_pause = isinstance(happened, events.PausedSet) and happened.is_paused
        return not isinstance(happened, goes_on) and not is_pause
    return isinstance(
        happened,
        events.Asked
        | events.PassedStanding
        | events.RoomClosed
        | events.SeedsCommitted
        | events.SeatGiven,
    )
