"""
Whole games in process: the real kernel, rules and core pack, with answers from a seeded die.

No network, no store: what is tested here is that games run, end, and hold together.
"""

import functools
import hashlib
import random
from collections.abc import Callable, Iterator

import attrs

from client.brain import Brain
from client.tables import TableView
from content.loader import load_core
from content.schema.pack import Content, Pack
from protocol.common import events as on
from protocol.common.asks import Choice, Question, Settle
from protocol.common.table import RoomTable, Settings, Stage
from protocol.event import Event, cut, hidden
from protocol.second_edition.table import SecondEditionTable
from server.kernel.chance import SeededChance
from server.kernel.game import Ruleset
from server.kernel.room import MakeChance, Room
from server.kernel.scribe import Batch
from server.rules.second_edition.ruleset import SecondEdition

MAX_INPUTS = 20_000
"""A game that takes more inputs hangs."""


@functools.cache
def core() -> Pack:
    """Return the core pack, loaded once."""
    return load_core()


@attrs.frozen
class CoreLibrary:
    """The kernel's library: one ruleset and one pack."""

    pack: Pack = attrs.field(factory=core)

    def ruleset(self, name: str) -> Ruleset:
        """Return the second edition."""
        assert name == SecondEdition.name
        return SecondEdition()

    def content(self, room: RoomTable) -> Content:
        """Return the room's scenario of the pack, without the products that are off."""
        pack = self.pack.without(room.products_off)
        return Content(pack, pack.scenarios[room.scenario])


@attrs.define
class SeededEntropy:
    """Entropy that comes out the same each time."""

    seed: int
    count: int = 0

    def draw(self, count: int) -> bytes:
        """Return the next bytes."""
        self.count += 1
        block = hashlib.shake_256(f"{self.seed}/{self.count}".encode())
        return block.digest(count)


def scenario_id() -> str:
    """Return the introductory scenario."""
    return next(iter(core().scenarios))


Policy = Callable[[Question, random.Random], tuple[str, ...]]


def at_random(question: Question, rng: random.Random) -> tuple[str, ...]:
    """Answer with any legal answer, each about as likely."""
    ids = [choice.choice_id for choice in question.choices]
    most = question.at_most if question.can_repeat else min(question.at_most, len(ids))
    count = rng.randint(question.at_least, max(question.at_least, most))
    if question.can_repeat:
        return tuple(rng.choice(ids) for _ in range(count))
    return tuple(rng.sample(ids, count))


@attrs.define(eq=False)
class Simulation:
    """One game in progress."""

    room: Room
    rng: random.Random
    players: int
    policy: Policy = at_random
    pack: Pack = attrs.field(factory=core)
    scenario: str = attrs.field(factory=scenario_id)
    off: tuple[str, ...] = ()
    """The products that are switched off."""
    time: int = 1_000_000
    on_batch: Callable[[Batch], None] | None = None
    brain: Brain | None = None
    """If given, it answers in place of the policy, from what its seat was sent."""
    views: dict[int, TableView] = attrs.field(factory=dict)
    inputs: list[tuple[Event, int]] = attrs.field(factory=list)
    meant: list[tuple[Choice, ...]] = attrs.field(factory=list)
    """For each input that is an answer, the choices that it names."""
    asked: dict[int, frozenset[str]] = attrs.field(factory=dict)
    """Where watched: by the first record of a batch, for which counters the content asks in it."""

    @property
    def game(self) -> SecondEditionTable:
        """The table of the game."""
        game = self.room.table.game
        assert isinstance(game, SecondEditionTable)
        return game

    def give(self, happened: Event, origin: int) -> None:
        """Give the room an input and make it durable at once."""
        self.time += 1000
        self.meant.append(self._meant(happened))
        batch = self.room.receive(happened, time=self.time, origin=origin)
        self.room.commit()
        self.inputs.append((happened, origin))
        if self.brain is not None:
            for seat in range(self.players):
                view = self.views.setdefault(seat, TableView(self.room.room_id, seat))
                view.receive(tuple(cut(stored, seat) for stored in batch.stored))
        if self.on_batch is not None:
            self.on_batch(batch)

    def _meant(self, happened: Event) -> tuple[Choice, ...]:
        ask = self.room.table.room.ask
        if not isinstance(happened, on.Answered) or ask is None:
            return ()
        choices = {c.choice_id: c for c in ask.questions[happened.seat].value.choices}
        return tuple(choices[pick] for pick in happened.picks.value)

    def open(self) -> None:
        """Open the table, seat everybody, and start."""
        self.open_table()
        self.sit_down()
        self.start()

    def open_table(self) -> None:
        """Open the table, with some products off if this game says so."""
        opened = on.RoomOpened(
            self.room.room_id, "second_edition", self.scenario, self.pack.digest, Settings()
        )
        self.give(opened, 0)
        if self.off:
            self.give(on.ProductsSwitched(self.off), 0)

    def sit_down(self) -> None:
        """Seat everybody, and have them choose whom they play."""
        for seat in range(self.players):
            key = hashlib.sha256(b"player %d" % seat).digest()
            self.give(on.SeatTaken(seat, f"Player {seat}", key, is_bot=False), seat)
        there = self.pack.without(self.off).investigators
        pieces = self.rng.sample(sorted(there), max(2, self.players))
        each = 2 if self.players == 1 else 1
        for seat in range(self.players):
            mine = tuple(pieces[seat * each : (seat + 1) * each])
            self.give(on.PiecesClaimed(seat, mine), seat)
            self.give(on.ReadySet(seat, is_ready=True), seat)

    def start(self) -> None:
        """Start, with everybody's share of chance."""
        self.give(on.StartRequested(0), 0)
        shares = [self.rng.randbytes(32) for _ in range(self.players)]
        for seat, share in enumerate(shares):
            self.give(on.ShareCommitted(seat, hashlib.sha256(share).digest()), seat)
        for seat, share in enumerate(shares):
            self.give(on.ShareOpened(seat, share), seat)

    def step(self) -> None:
        """Answer the open question from one seat, chosen by the die."""
        ask = self.room.table.room.ask
        assert ask is not None
        if ask.settle is Settle.AGREE and not ask.waiting_for:
            self.give(on.LotCalled(min(ask.questions), ask.ask_id), min(ask.questions))
            return
        seat = self.rng.choice(ask.waiting_for)
        question = ask.questions[seat].value
        if self.brain is not None:
            picks = self.brain(self.views[seat], question, self.rng)
        else:
            picks = self.policy(question, self.rng)
        if ask.settle is Settle.AGREE:
            self.give(on.Voted(seat, ask.ask_id, picks[0]), seat)
        else:
            self.give(on.Answered(seat, ask.ask_id, hidden(picks)), seat)

    def play(self) -> "Simulation":
        """Play to the end."""
        self.open()
        for _ in range(MAX_INPUTS):
            if self.room.table.room.stage is Stage.OVER:
                return self
            self.step()
        raise AssertionError(f"the game hangs at {self.room.table.room.ask}")


def simulate(
    seed: int,
    players: int,
    *,
    policy: Policy = at_random,
    make_chance: MakeChance = SeededChance,
    on_batch: Callable[[Batch], None] | None = None,
    brain: Brain | None = None,
    pack: Pack | None = None,
) -> Simulation:
    """Return a game that is about to be opened, of the core pack if no other is given."""
    pack = pack or core()
    library, rng = CoreLibrary(pack), random.Random(seed)
    room = Room(f"room-{seed}", library, SeededEntropy(seed), make_chance=make_chance)
    return Simulation(room, rng, players, policy, pack, on_batch=on_batch, brain=brain)


def games(count: int, *, first: int = 0) -> Iterator[Simulation]:
    """Yield games of every number of players, played to their end."""
    for seed in range(first, first + count):
        yield simulate(seed, seed % 5 + 1).play()
