"""
The room: one hosted game, from input to batch.

An input is checked against the table, written, and followed by all that comes of it up to the
next question; the caller makes that batch durable and then commits or discards it. Nothing of a
batch is seen before. If a rule raises, the coroutine is thrown away and rebuilt from the log, and
the input is refused with a report number.

The room does no I/O and reads no clock. It never names a piece of any ruleset.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import attrs

from protocol.commitments import first_head, next_head
from protocol.common import events as on
from protocol.common.asks import Settle
from protocol.common.table import Proposal, RoomTable, Stage, Table, fold
from protocol.event import CLOCK, Event, Record, Stored, everything, hidden, read
from server.kernel.asks import Ask, Picks
from server.kernel.chance import Chance, Entropy, SeededChance, play_key, setup_key
from server.kernel.errors import Diverged, LogError, Refused, RuleFailed, TruncatedLog
from server.kernel.game import Game, Procedure, Ruleset
from server.kernel.inputs import CHECKS, refuse_unless, voices
from server.kernel.scribe import Batch, Recorded, Scribe, State

CLOSING_PATIENCE = 16
"""How often an abandoned rule is told to end before it is left to itself."""

MakeChance = Callable[[bytes], Chance]
"""Makes chance from a key. Tests give their own."""


class Library(Protocol):
    """Where a room finds its ruleset and its content."""

    def ruleset(self, name: str) -> Ruleset:
        """Return a ruleset. KeyError where there is none of that name."""

    def content(self, room: RoomTable) -> Any:
        """Return what the rules read, as pinned by the room's first events."""


@attrs.define
class _Running:
    """A procedure that waits for the answer to its question."""

    game: Game[Any, Any]
    procedure: Procedure
    ask: Ask[Any]
    is_fresh: bool = False
    """Whether nothing has happened in it yet but this question."""
    answers: dict[int, tuple[str, ...]] = attrs.field(factory=dict)
    """The choice ids given so far, by seat."""


class Room:
    """One hosted game."""

    def __init__(
        self,
        room_id: str,
        library: Library,
        entropy: Entropy,
        *,
        make_chance: MakeChance = SeededChance,
    ) -> None:
        """Make an empty room; its first input must be `RoomOpened`."""
        self._library = library
        self._entropy = entropy
        self._make_chance = make_chance
        self._state = State(room_id, head=first_head(room_id))
        self._running: _Running | None = None
        self._pending: Scribe | None = None
        self.halted: LogError | None = None
        """Why the game cannot go on by itself, if so; going back or a new start mends it."""

    # What it is

    @property
    def room_id(self) -> str:
        """The room's name on the log."""
        return self._state.room_id

    @property
    def table(self) -> Table:
        """The table after the last committed batch."""
        return self._state.table

    @property
    def head(self) -> bytes:
        """The head of the hash chain after the last committed batch."""
        return self._state.head

    @property
    def log(self) -> Sequence[Stored]:
        """All committed records."""
        return self._state.log

    @property
    def last_time(self) -> int:
        """Milliseconds since 1970 of the last committed batch."""
        return self._state.time

    @property
    def ruleset(self) -> Ruleset:
        """The rules that are played here."""
        return self._library.ruleset(self.table.room.ruleset)

    # Input to batch

    def receive(self, happened: Event, *, time: int, origin: int) -> Batch:
        """
        Take one input and write all that follows from it. Commit or discard it next.

        Args:
            happened: an input event with hidden values.
            time: milliseconds since 1970; a clock that went back is held at the last batch's.
            origin: the seat that gave it, or CLOCK.

        Raises:
            Refused: it cannot be done now.
            RuleFailed: a rule raised. In both cases nothing has changed.
        """
        assert self._pending is None, "the last batch is neither committed nor discarded"
        scribe = Scribe(self._state, time=max(time, self._state.time), entropy=self._entropy)
        try:
            self._check(happened, origin)
        except Refused:
            raise
        except Exception as error:
            raise RuleFailed(self._report(scribe)) from error
        try:
            self._take(scribe, happened, origin)
        except Exception as error:
            self._rebuild()
            raise RuleFailed(self._report(scribe)) from error
        self._pending = scribe
        return scribe.batch()

    def _report(self, scribe: Scribe) -> str:
        return f"{self.room_id[:8]}-{scribe.next_sequence}"

    def commit(self) -> None:
        """The batch is durable: it is now part of the room."""
        assert self._pending is not None
        self._accept(self._pending)
        self._pending = None

    def discard(self) -> None:
        """The batch could not be stored: the room is as it was before it."""
        assert self._pending is not None
        self._pending = None
        self._rebuild()

    def _accept(self, scribe: Scribe) -> None:
        state = self._state
        state.log.extend(scribe.stored)
        state.table, state.head = scribe.table, scribe.head
        state.chance, state.setup_chance = scribe.chance, scribe.setup_chance
        state.time = scribe.time
        if scribe.has_gone_back or state.table.room.stage is Stage.STARTING:
            # Of a game that begins only now there is nothing yet that could have diverged.
            self.halted = None

    def _check(self, happened: Event, origin: int) -> None:
        """Refuse what cannot be done now; nothing is written yet."""
        kind = type(happened)
        if isinstance(happened, on.RoomOpened):
            refuse_unless(not self._state.log, "table/already_open")
            refuse_unless(happened.room_id == self.room_id, "table/another_room")
            return
        refuse_unless(self._state.log and kind in CHECKS, "table/unknown_input")
        CHECKS[kind](self.table, happened)
        self._check_more(self.table, happened, origin)

    def _take(self, scribe: Scribe, happened: Event, origin: int) -> None:
        """Write an input that was checked, and all that follows from it."""
        scribe.write(happened, origin=origin)
        self._follow(scribe, happened)

    def _check_more(self, table: Table, happened: Event, origin: int) -> None:
        """Check what needs more than the table: the ruleset, or whether the game stands."""
        needs_game = (on.Answered, on.Voted, on.LotCalled, on.TimedOut, on.PausedSet)
        refuse_unless(self.halted is None or not isinstance(happened, needs_game), "table/halted")
        if isinstance(happened, on.Proposed):
            self._check_proposal(table, happened.proposal)
        if isinstance(happened, on.PausedSet):
            # A pause goes back to a rest point; from people that needs the others' consent.
            refuse_unless(not happened.is_paused or origin == CLOCK, "table/clock_only")
        if isinstance(happened, on.SeatTaken):
            most = self.ruleset.seat_limits(self._library.content(table.room))[1]
            refuse_unless(len(table.room.seats) < most, "table/full")
        if isinstance(happened, on.PiecesClaimed):
            offered = self.ruleset.pieces(self._library.content(table.room))
            refuse_unless(all(p in offered for p in happened.pieces), "table/no_such_piece")
            refuse_unless(len(happened.pieces) <= self._pieces_each(table), "table/too_many_pieces")
        if isinstance(happened, on.StartRequested):
            each = self._pieces_each(table)
            content = self._library.content(table.room)
            fewest, most = self.ruleset.seat_limits(content)
            refuse_unless(len(table.room.seats) >= fewest, "table/too_few")
            # The scenario may be another one since they sat down.
            refuse_unless(len(table.room.seats) <= most, "table/too_many")
            offered = self.ruleset.pieces(content)
            for seat in table.room.seats.values():
                fits = len(seat.pieces) == each and all(p in offered for p in seat.pieces)
                refuse_unless(fits, "table/choose_first")

    def _check_proposal(self, table: Table, proposal: Proposal) -> None:
        if proposal.kind == "take_back":
            # A game that is halted has no other way to go on.
            is_possible = table.room.settings.takebacks or self.halted is not None
            refuse_unless(is_possible, "proposal/no_takebacks")
        elif proposal.kind == "correct":
            self._check_correction(table, proposal)

    def _check_correction(self, table: Table, proposal: Proposal) -> None:
        assert table.game is not None
        refuse_unless(self.halted is None, "table/halted")
        fits = self.ruleset.can_correct(table.game, proposal.piece, proposal.amount)
        refuse_unless(fits, "proposal/no_such_piece")

    def _pieces_each(self, table: Table) -> int:
        return self.ruleset.pieces_each(len(table.room.seats))

    def _follow(self, scribe: Scribe, happened: Event) -> None:
        if isinstance(happened, on.StartRequested):
            scribe.write(scribe.new_seeds())
        elif isinstance(happened, on.ShareOpened):
            self._start_if_all_open(scribe)
        elif isinstance(happened, on.Answered):
            self._answer(scribe, happened)
        elif isinstance(happened, on.Voted):
            self._vote(scribe)
        elif isinstance(happened, on.LotCalled):
            self._settle_by_lot(scribe)
        elif isinstance(happened, on.TimedOut):
            self._time_out(scribe)
        elif isinstance(happened, on.Proposed | on.Consented):
            self._carry_out_if_agreed(scribe)
        elif isinstance(happened, on.PausedSet):
            self._pause_or_go_on(scribe, happened)

    def _pause_or_go_on(self, scribe: Scribe, change: on.PausedSet) -> None:
        if change.is_paused:
            self._go_back(scribe, max(scribe.table.rests))
        elif self._running is not None:
            # The same question anew: a time limit counts from now on.
            self._running.answers.clear()
            self._put(scribe, self._running.ask)

    # The start

    def _start_if_all_open(self, scribe: Scribe) -> None:
        room = scribe.table.room
        assert room.ceremony is not None
        if len(room.ceremony.shares) < len(room.seats):
            return
        self._fix_chance(scribe)
        players = tuple(on.Player(seat.seat, seat.pieces) for seat in room.seats.values())
        scribe.write(on.GameStarted(players))
        self._begin(scribe)

    def _fix_chance(self, scribe: Scribe) -> None:
        """Derive the keys. The log up to here, every seat's share in it, is the salt."""
        room = scribe.table.room
        assert room.seed is not None and room.setup_seed is not None  # noqa: PT018 (one thing)
        scribe.chance = self._make_chance(play_key(room.seed.value, scribe.head))
        scribe.setup_chance = self._make_chance(setup_key(room.setup_seed.value))

    # Driving the rules

    def _begin(self, scribe: Scribe) -> None:
        """Run procedures from a rest point until somebody is asked or the game is over."""
        room = scribe.table.room
        players = tuple(on.Player(seat.seat, seat.pieces) for seat in room.seats.values())
        self._running = None
        while True:
            game: Game[Any, Any] = Game(scribe, self._library.content(room), players)
            self._correct_if_agreed(scribe, game)
            procedure = self._library.ruleset(room.ruleset).next_procedure(game)
            if procedure is None:
                self._close(scribe)
                return
            if self._drive(scribe, game, procedure, None):
                return
            scribe.write(on.Rested())

    def _drive(
        self, scribe: Scribe, game: Game[Any, Any], procedure: Procedure, picks: Picks[Any] | None
    ) -> bool:
        """Run a procedure on; return whether it asks something (else it is finished)."""
        before = scribe.next_sequence
        try:
            ask = procedure.send(picks)  # type: ignore[arg-type]  # None starts a coroutine
        except StopIteration:
            game.kill()
            return False
        except Exception:
            game.kill()
            raise
        is_fresh = picks is None and scribe.next_sequence == before
        self._running = _Running(game, procedure, ask, is_fresh)
        self._put(scribe, ask)
        return True

    def _put(self, scribe: Scribe, ask: Ask[Any]) -> None:
        ask_id = scribe.table.room.next_ask_id
        questions = {seat: hidden(prompt.question(ask_id)) for seat, prompt in ask.prompts.items()}
        scribe.write(on.Asked(ask_id, ask.rule, ask.about, ask.settle, ask.lots, questions))

    def _settle(self, scribe: Scribe, by_seat: dict[int, tuple[str, ...]]) -> None:
        """Close the question with these answers and let the rules go on."""
        running = self._running
        ask = scribe.table.room.ask
        assert running is not None and ask is not None  # noqa: PT018 (one thing)
        scribe.write(on.Settled(ask.ask_id))
        prompts = running.ask.prompts
        picks = {
            seat: prompts[seat].values(ask.ask_id, given) for seat, given in sorted(by_seat.items())
        }
        running.game.rebind(scribe)
        self._running = None
        if not self._drive(scribe, running.game, running.procedure, picks):
            scribe.write(on.Rested())
            self._begin(scribe)

    def _close(self, scribe: Scribe) -> None:
        room = scribe.table.room
        assert room.seed is not None and room.setup_seed is not None  # noqa: PT018 (one thing)
        seeds = (scribe.disclose(room.seed), scribe.disclose(room.setup_seed))
        scribe.write(on.RoomClosed(seeds if room.settings.publish else ()))

    # Answers

    def _answer(self, scribe: Scribe, answer: on.Answered) -> None:
        assert self._running is not None
        # The running ask is changed only after the checks; a failed batch rebuilds it.
        self._running.answers[answer.seat] = answer.picks.value
        ask = scribe.table.room.ask
        assert ask is not None
        if ask.settle is Settle.ANY_ONE or not ask.waiting_for:
            self._settle(scribe, dict(self._running.answers))

    def _vote(self, scribe: Scribe) -> None:
        ask = scribe.table.room.ask
        assert ask is not None
        if not ask.waiting_for and len(set(ask.votes.values())) == 1:
            self._settle(scribe, {seat: (choice,) for seat, choice in ask.votes.items()})

    def _settle_by_lot(self, scribe: Scribe) -> None:
        """Let the seat of a randomly drawn piece decide. Rule CONFLICT-3, DECIDE-141."""
        ask = scribe.table.room.ask
        assert ask is not None
        _, seat = ask.lots[scribe.pick("lot", len(ask.lots), setup=False)]
        default = ask.questions[seat].value.default
        choice = (ask.votes[seat],) if seat in ask.votes else default
        self._settle(scribe, dict.fromkeys(ask.questions, choice))

    def _time_out(self, scribe: Scribe) -> None:
        ask = scribe.table.room.ask
        assert ask is not None and self._running is not None  # noqa: PT018 (one thing)
        if ask.settle is Settle.AGREE:
            self._settle_by_lot(scribe)
            return
        answers = dict(self._running.answers)
        for seat in ask.waiting_for:
            answers[seat] = ask.questions[seat].value.default
        if ask.settle is Settle.ANY_ONE:
            first = min(answers)
            answers = {first: answers[first]}
        self._settle(scribe, answers)

    # Agreements

    def _carry_out_if_agreed(self, scribe: Scribe) -> None:
        proposal = _agreed(scribe.table.room)
        if proposal is None:
            return
        if proposal.kind == "correct":
            # What somebody is doing is finished first: its rule may hold on to what it has seen.
            if self._running is not None and self._running.is_fresh:
                self._kill_running()
                self._begin(scribe)
            return
        if proposal.kind == "take_back":
            self._go_back(scribe, proposal.rest)
            return
        with_secrets = scribe.table.room.settings.secrets_go_along
        scribe.write(
            on.SeatGiven(proposal.seat, proposal.name, proposal.key, proposal.is_bot, with_secrets)
        )
        ask = scribe.table.room.ask
        if ask is not None and self._running is not None and proposal.seat in ask.questions:
            # The same question again, so that its new owner can read it.
            self._running.answers.clear()
            self._put(scribe, self._running.ask)

    def _correct_if_agreed(self, scribe: Scribe, game: Game[Any, Any]) -> None:
        """Carry out a correction that all agreed to, between two procedures."""
        proposal = _agreed(scribe.table.room)
        if proposal is not None and proposal.kind == "correct":
            scribe.write(on.Corrected(proposal.piece, proposal.amount))
            self.ruleset.correct(game, proposal.piece, proposal.amount)
            scribe.write(on.Rested())

    def _go_back(self, scribe: Scribe, rest: int) -> None:
        self._kill_running()
        scribe.write(on.TakenBack(rest))
        scribe.has_gone_back = True
        self._mix_unknown(scribe)
        self._begin(scribe)

    def _mix_unknown(self, scribe: Scribe) -> None:
        """Shuffle what nobody knows, so that what the other branch taught is worth nothing."""
        game = scribe.table.game
        assert game is not None
        for pile, handles in sorted(game.piles.items()):
            if handles:
                items = tuple(game.card_of(handle) for handle in handles)
                scribe.shuffle(pile, items, f"shuffle {pile}", setup=False)
                assert scribe.table.game is not None
                game = scribe.table.game

    def _kill_running(self) -> None:
        if self._running is not None:
            # The handle dies first, so that a `finally` in a rule can write nothing.
            running, self._running = self._running, None
            running.game.kill()
            _close(running.procedure)

    # From log to room

    def _rebuild(self) -> None:
        self._kill_running()
        log = list(self._state.log)
        self._state = State(self.room_id, head=first_head(self.room_id))
        self._load(log, from_start=False)

    @classmethod
    def resume(
        cls,
        room_id: str,
        log: Sequence[Stored],
        library: Library,
        entropy: Entropy,
        *,
        make_chance: MakeChance = SeededChance,
        from_start: bool = False,
    ) -> "Room":
        """
        Build the room that lived through this log.

        The log is folded to its last rest point; from there the inputs are played again and
        everything that follows is compared with the log.

        Args:
            from_start: compare everything from event 0 on, as a verifier does.

        Raises:
            TruncatedLog: the log ends inside a batch.
            Diverged: only with `from_start`. Without, the room comes back `halted`: it stands
                where the log ends, and the game goes on from a rest point once the seats agree.
            ProtocolError: the log is not one of ours.
        """
        room = cls(room_id, library, entropy, make_chance=make_chance)
        room._load(list(log), from_start=from_start)
        return room

    def _load(self, log: list[Stored], *, from_start: bool) -> None:
        self.halted = None
        records = [read(self.room_id, everything(stored)) for stored in log]
        for at, record in enumerate(records):
            if record.sequence != at:
                raise TruncatedLog(at, f"its record says {record.sequence}")
        rest = -1 if from_start else _last_rest(records)
        for stored, record in zip(log[: rest + 1], records[: rest + 1], strict=True):
            self._fold(stored, record)
        recorded = Recorded(zip(log[rest + 1 :], records[rest + 1 :], strict=True))
        try:
            if rest >= 0 and self.table.room.stage is not Stage.OVER:
                self._replay_rest(recorded, records[rest].time)
            while recorded.left:
                self._replay_input(recorded)
        except TruncatedLog:
            raise
        except Exception as error:
            if from_start:
                raise
            self._halt(log, records, error)

    def _fold(self, stored: Stored, record: Record) -> None:
        state = self._state
        happened = record.event
        if isinstance(happened, on.GameStarted):
            room = state.table.room
            assert room.seed is not None and room.setup_seed is not None  # noqa: PT018
            state.chance = self._make_chance(play_key(room.seed.value, state.head))
            state.setup_chance = self._make_chance(setup_key(room.setup_seed.value))
        state.log.append(stored)
        state.head = next_head(state.head, stored.public)
        state.table = fold(state.table, record)
        state.time = record.time

    def _replay_rest(self, recorded: Recorded, time: int) -> None:
        scribe = Scribe(self._state, time=time, entropy=self._entropy, recorded=recorded)
        last = read(self.room_id, everything(self._state.log[-1])).event
        if isinstance(last, on.TakenBack):
            self._mix_unknown(scribe)
        self._begin(scribe)
        self._accept(scribe)

    def _replay_input(self, recorded: Recorded) -> None:
        _, record = recorded.left[0]
        if not record.event.is_input:
            raise Diverged(record.sequence, f"a {record.event.tag} that does not follow")
        scribe = Scribe(self._state, time=record.time, entropy=self._entropy, recorded=recorded)
        self._check(record.event, record.origin)
        self._take(scribe, record.event, record.origin)
        self._accept(scribe)

    def _halt(self, log: list[Stored], records: list[Record], error: Exception) -> None:
        """Stand where the log ends; only the rules of that time could have gone on."""
        self._kill_running()
        if not _may_end(records[-1].event):
            raise TruncatedLog(len(log), f"the log ends with a {records[-1].event.tag}") from error
        at = len(self._state.log)
        for stored, record in zip(log[at:], records[at:], strict=True):
            self._fold(stored, record)
        self.halted = error if isinstance(error, LogError) else Diverged(at, repr(error))


def _close(procedure: Procedure) -> None:
    """
    End an abandoned coroutine, whatever it does about it.

    A `finally` in a rule may find its game dead and raise, or may ask something.
    """
    for _ in range(CLOSING_PATIENCE):
        try:
            procedure.close()
        except Exception:  # noqa: BLE001, S112 (nobody is left to tell)
            continue
        return


def _may_end(happened: Event) -> bool:
    """Return whether a batch may end with this event, as far as it alone can tell."""
    if happened.is_input:
        goes_on = (on.StartRequested, on.TimedOut, on.LotCalled)
        is_pause = isinstance(happened, on.PausedSet) and happened.is_paused
        return not isinstance(happened, goes_on) and not is_pause
    return isinstance(happened, on.Asked | on.RoomClosed | on.SeedsCommitted | on.SeatGiven)


def _agreed(room: RoomTable) -> Proposal | None:
    """Return the open proposal, if everybody who is asked has agreed to it."""
    if room.proposal is None or set(voices(room)) - set(room.proposal.consents):
        return None
    return room.proposal


def _last_rest(records: Sequence[Record]) -> int:
    rests = (on.GameStarted, on.Rested, on.TakenBack)
    found = [record.sequence for record in records if isinstance(record.event, rests)]
    return found[-1] if found else -1
