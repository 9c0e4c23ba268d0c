"""
Tables of the load generator. Each has at most one answer under way, and measures its time.

At our own tables, four players answer as sensible bots. One fold serves all four: each record is
folded with everything that any of them may see. The choices are nearly the same as those of four
clients, for a quarter of the work, which would otherwise slow down the measured server.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

import attrs
from twisted.internet.defer import Deferred

from bench import bare
from bench.lines import BareLine, Line, Reachable, bare_line
from bench.stamps import Stamps
from client.model.tables import TableView
from client.plugs.brains import brain_of, pick_random
from protocol import messages
from protocol.common.asks import Question, Settle
from protocol.common.signed import (
    commitment_of_share,
    ready_statement,
    share_statement,
    start_statement,
)
from protocol.common.table import OpenAsk, RoomTable, Settings, Stage
from protocol.event import Cut, Event
from protocol.keys import SigningKey

SEATS: Final = bare.SEATS
TRIES: Final = 3
"""
Number of tries of the brain at a question before random answers are tried, if the server refuses
answers.
"""


class Refused(Exception):
    """The server refused something that must be possible; `args` has the code."""


@attrs.define
class Numbers:
    """Counts connections and seeds of one run."""

    seed: int = 1
    connections: int = 0

    def connection(self) -> int:
        """Return the number of the next connection."""
        self.connections += 1
        return self.connections - 1


@attrs.define(eq=False)
class Table:
    """The common part of both kinds of table: an answer is given, then shown to all players."""

    reactor: Any
    server: Reachable
    numbers: Numbers
    when_shown: Callable[["Table", float], None] | None = None
    """Called with the seconds from an answer until the last seat was shown the answer."""
    _said: Stamps | None = attrs.field(default=None, init=False)
    """Timestamps of the connection that gave the pending answer."""

    async def open(self) -> None:
        """Take the seats, and play up to the first question."""
        raise NotImplementedError

    def answer(self) -> None:
        """Give the next answer, without waiting until it is shown; then `when_shown` is called."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def _says(self, stamps: Stamps) -> None:
        """Note that the next answer goes out on the connection with these timestamps."""
        self._said = stamps
        stamps.expect()

    def _shown(self, told: Iterable[Stamps]) -> None:
        said, self._said = self._said, None
        if said is not None and self.when_shown is not None:
            self.when_shown(self, max(stamps.came for stamps in told) - said.left)


@attrs.define(eq=False)
class BareTable(Table):
    """A table of the bare server."""

    _lines: list[BareLine] = attrs.field(factory=list, init=False)
    _at: int = attrs.field(default=0, init=False)

    async def open(self) -> None:
        for _ in range(SEATS):
            number = self.numbers.connection()
            self._lines.append(await bare_line(self.reactor, self.server, number, self._look))

    def answer(self) -> None:
        self._at += 1
        line = self._lines[self._at % SEATS]
        self._says(line.stamps)
        line.answer()

    def close(self) -> None:
        for line in self._lines:
            if line.transport is not None:
                cast("Any", line.transport).loseConnection()

    def _look(self) -> None:
        if self._said is not None and all(line.updates == self._at for line in self._lines):
            self._shown(line.stamps for line in self._lines)


@attrs.define(eq=False)
class PlayedTable(Table):
    """A table on our own server."""

    scenario: messages.ScenarioLine = attrs.field(kw_only=True)
    settings: Settings = attrs.field(factory=Settings, kw_only=True)
    room_id: str = attrs.field(default="", init=False)
    lines: list[Line] = attrs.field(factory=list, init=False)
    events: int = attrs.field(default=0, init=False)
    """Records received, over all games."""
    finished_events: int = attrs.field(default=0, init=False)
    """Records of the last finished game."""
    finished_games: int = attrs.field(default=0, init=False)
    refusals: int = attrs.field(default=0, init=False)
    on_event: Callable[[Event], None] = attrs.field(default=lambda _: None, kw_only=True)
    """Called with each event, once all seats have its record."""
    watch_code: str = attrs.field(default="", init=False)
    _view: TableView = attrs.field(factory=lambda: TableView("", 0), init=False)
    held: list[int] = attrs.field(factory=list, init=False)
    """Records of this game that each seat has received."""
    _came: list[list[Cut]] = attrs.field(factory=list, init=False)
    _tries: int = attrs.field(default=0, init=False)
    _rng: random.Random = attrs.field(init=False)
    _started: Deferred[None] | None = attrs.field(default=None, init=False)
    _has_answer_come: bool = attrs.field(default=False, init=False)
    """True once the records of the pending answer have begun to arrive."""

    def __attrs_post_init__(self) -> None:
        """Seed the players' random generators."""
        self.numbers.seed += 1
        self._rng = random.Random(self.numbers.seed)

    @property
    def rng_state(self) -> tuple[Any, ...]:
        """The state of the table's random generator, which draws the players' keys first."""
        return self._rng.getstate()

    async def open(self) -> None:
        for seat in range(SEATS):
            line = Line(
                self.reactor, f"Player {seat}", SigningKey.from_seed(self._rng.randbytes(32))
            )
            await line.connect(self.server, self.numbers.connection())
            self.lines.append(line)
        await self._new_game()

    def close(self) -> None:
        for line in self.lines:
            line.close()

    async def _new_game(self) -> None:
        host = self.lines[0]
        opened = await _done(host, messages.OpenTable, self.settings, self.scenario.scenario)
        assert isinstance(opened, messages.TableOpened)
        self.room_id, self.watch_code = opened.room_id, opened.watch_code
        self._view = TableView(opened.room_id, 0)
        self._came = [[] for _ in self.lines]
        self.held = [0 for _ in self.lines]
        for line in self.lines[1:]:
            await _done(line, messages.JoinTable, opened.code)
        await self._sit_down()
        self._started = started = Deferred[None]()
        # Its second statement at this table, after being ready.
        said = start_statement(self.room_id, 0, 2)
        await _done(host, messages.StartGame, self.room_id, 2, host.key.sign(said))
        shares = [self._rng.randbytes(32) for _ in self.lines]
        await self._until(lambda room: room.play_seed is not None)
        for seat, (line, share) in enumerate(zip(self.lines, shares, strict=True)):
            bound = commitment_of_share(self._view.table.room, seat, share, 1, b"")
            await _done(line, messages.CommitShare, self.room_id, bound)
        await self._until(
            lambda room: room.ceremony is not None and len(room.ceremony.commitments) == SEATS
        )
        room = self._view.table.room
        for seat, (line, share) in enumerate(zip(self.lines, shares, strict=True)):
            signature = line.key.sign(share_statement(room, seat, share, 1, b""))
            await _done(line, messages.OpenShare, self.room_id, share, 1, b"", signature)
        await started

    async def _until(self, is_so: Callable[[RoomTable], bool]) -> None:
        """
        Wait until `is_so` is true of the table that all lines have received.

        The records may arrive after the reply to a message.
        """
        while not is_so(self._view.table.room):
            later = Deferred[None]()
            self.reactor.callLater(0.001, later.callback, None)
            await later

    async def _sit_down(self) -> None:
        """Enter, and let each seat claim its characters in the first role."""
        role = self.scenario.roster.roles[0]
        count = role.count_for(SEATS)
        names = self._rng.sample(sorted(role.characters), count * SEATS)
        for seat, line in enumerate(self.lines):
            line.on_records = self._taker(seat)
            await _done(line, messages.EnterTable, self.room_id, -1)
            mine = tuple(names[seat * count : (seat + 1) * count])
            await _done(line, messages.ClaimCharacters, self.room_id, mine)
            said = ready_statement(self.room_id, seat, 1, is_ready=True)
            await _done(line, messages.SetReady, self.room_id, True, 1, line.key.sign(said))

    def _taker(self, seat: int) -> Callable[[messages.Records], None]:
        def take(message: messages.Records) -> None:
            if message.room_id == self.room_id:
                self._came[seat] += message.cuts
                self.held[seat] += len(message.cuts)
                self._look()

        return take

    def _look(self) -> None:
        """Fold the records sent to all four; detect a shown answer, and a game's begin or end."""
        count = min(map(len, self._came))
        if not count:
            return
        merged = [_merged(cuts) for cuts in zip(*self._came, strict=False)]
        self._came = [cuts[count:] for cuts in self._came]
        self.events += count
        records = [step.record for step in self._view.receive(merged)]
        for record in records:
            self.on_event(record.event)
        # Nobody exports this view, and the cuts would only take memory.
        self._view.cuts.clear()
        self._has_answer_come |= any(r.event.is_input and r.origin >= 0 for r in records)
        room = self._view.table.room
        # An answer is shown once all seats have the same records, not before.
        is_even = not any(self._came)
        if not is_even or (room.ask is None and room.stage is not Stage.OVER):
            return
        if room.stage is Stage.OVER:
            self._said = None
            self.finished_events = self.held[0]
            self.finished_games += 1
            self._play_another()
        elif self._started is not None:
            started, self._started = self._started, None
            started.callback(None)
        elif self._has_answer_come:
            self._tries = 0
            self._shown(line.stamps for line in self.lines)

    def _play_another(self) -> None:
        """Begin another game at a new table, and give the due answer there."""

        async def play() -> None:
            for line in self.lines:
                await _done(line, messages.LeaveTable, self.room_id)
            await self._new_game()
            self.answer()

        _ = Deferred.fromCoroutine(play())

    async def sleep(self) -> None:
        """Let all players stop following the table, so that the server can unload its room."""
        for line in self.lines:
            line.on_records = lambda _: None
            await _done(line, messages.LeaveTable, self.room_id)

    async def go_back(self) -> None:
        """
        Return to the earliest remaining checkpoint, with the consent of all players.

        The log grows with each return.
        """
        checkpoint = min(self._view.table.checkpoints)
        proposal = self._view.table.room.next_proposal_id
        host, *others = self.lines
        await _done(host, messages.ProposeTakeBack, self.room_id, checkpoint)
        for line in others:
            await _done(line, messages.Consent, self.room_id, proposal, True)

    @property
    def can_go_back(self) -> bool:
        """True if a checkpoint remains."""
        return bool(self._view.table.checkpoints)

    def bytes_received(self) -> int:
        """Return the number of bytes that the four players were sent, without TLS."""
        return sum(line.bytes_received for line in self.lines)

    # Answers

    def answer(self) -> None:
        ask = self._view.ask
        if ask is None:
            raise Refused("nothing is asked")
        seat, make, fields = self._choice(ask)
        self._has_answer_come = False
        line = self.lines[seat]
        self._says(line.stamps)
        _ = line.ask(make, self.room_id, ask.ask_id, *fields).addCallback(self._heard)

    def _heard(self, reply: messages.ServerMessage) -> None:
        if isinstance(reply, messages.Refusal):
            self.refusals += 1
            self._tries += 1
            # As many tries at random come after those of the brain.
            if self._tries > 2 * TRIES:
                raise Refused(reply.code)
            self.answer()

    def _choice(
        self, ask: OpenAsk
    ) -> tuple[int, Callable[..., messages.ClientMessage], tuple[object, ...]]:
        """Return the seat, the message class and the arguments of the next answer."""
        if ask.has_open_votes:
            if not ask.waiting_for:
                return min(ask.questions), messages.CallTiebreak, ()
            seat = self._rng.choice(ask.waiting_for)
            return seat, messages.Vote, (self._vote(ask, seat),)
        waiting = [seat for seat in ask.waiting_for if not _can_wait(ask, seat)]
        seat = self._rng.choice(waiting or list(ask.waiting_for))
        question = ask.questions[seat].value
        if ask.settle is Settle.UNLESS_OBJECTED:
            return seat, messages.Answer, (question.passing,)
        picks = tuple(pick for part in question.row for pick in self._picks(seat, part))
        return seat, messages.Answer, (picks,)

    def _vote(self, ask: OpenAsk, seat: int) -> tuple[str, ...]:
        """Vote for the choice of the first voter, so that the table agrees."""
        question = ask.questions[seat].value
        first = next(iter(ask.votes.values()), None)
        if first is not None and question.faults(first) is None:
            return first
        return self._picks(seat, question)

    def _picks(self, seat: int, question: Question) -> tuple[str, ...]:
        brain = brain_of(self._view.table.room.ruleset) if self._tries < TRIES else pick_random
        # One view serves all four, so it takes the seat that answers.
        self._view.seat = seat
        return brain(self._view, question, self._rng)


def _merged(cuts: Sequence[Cut]) -> Cut:
    """Return a record with everything that any of these viewers may see."""
    openings = dict(one for shown in cuts for one in shown.openings)
    return Cut(cuts[0].public, tuple(sorted(openings.items(), key=lambda one: one[0])))


def _can_wait(ask: OpenAsk, seat: int) -> bool:
    """
    Return True if a seat need not answer a question.

    Any seat can answer it, and this seat cannot end it but may leave it to others.
    """
    question = ask.questions[seat].value
    if ask.settle is not Settle.ANY_ONE or len(ask.questions) == 1:
        return False
    return question.may_wait and not any(choice.ends for choice in question.choices)


async def _done(
    line: Line, make: Callable[..., messages.ClientMessage], *fields: object
) -> messages.ServerMessage:
    """Send a message, and return the reply. Raise Refused for a refusal."""
    reply = await line.ask(make, *fields)
    if isinstance(reply, messages.Refusal):
        raise Refused(f"{make.__name__}: {reply.code}")
    return reply


def with_one_role(lines: Iterable[messages.ScenarioLine]) -> tuple[messages.ScenarioLine, ...]:
    """Return the scenarios in which all seats have one role: our players claim none."""
    return tuple(line for line in lines if len(line.roster.roles) == 1)
