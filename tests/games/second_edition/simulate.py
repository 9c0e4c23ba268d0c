"""Whole games in process: real kernel, rules and core pack, with seeded answers.

There is no network and no store: these games test the rules from start to end.
"""

import functools
import random
from collections.abc import Callable, Iterator, Mapping

import attrs

from client.model.tables import TableView
from client.plugs.brains import Brain
from content.games.second_edition.schema.pack import Pack
from content.plugs.packs import shared_words
from content.reading.files import read_files, shipped
from protocol.common import events
from protocol.common.asks import Choice, Question
from protocol.common.text import Catalog
from protocol.event import Event, cut
from protocol.games.second_edition.table import RULESET, SecondEditionTable
from server.authoring.driver import MAX_INPUTS, Driver, PackLibrary, SeededEntropy
from server.kernel.batch_writer import Batch
from server.kernel.chance import MakeChance, seeded
from server.kernel.room import Room
from tests.kit import compiled

__all__ = [
    "MAX_INPUTS",
    "CoreLibrary",
    "SeededEntropy",
    "Simulation",
    "core",
    "finished_game",
    "simulate",
]


@functools.cache
def core() -> Pack:
    """Return the core pack. It is cached."""
    pack = compiled.kept("core", read_files(shipped(RULESET) / "core"))
    assert isinstance(pack, Pack)
    return pack


@functools.cache
def core_words() -> Mapping[str, Catalog]:
    """Return the words a server has for the core pack, by language, over the shared ones."""
    return {
        language: {**shared_words()[language], **words}
        for language, words in core().catalogs.items()
    }


@attrs.frozen
class CoreLibrary(PackLibrary):
    """Library of the kernel, by default with the core pack."""

    pack: Pack = attrs.field(factory=core)


def scenario_id() -> str:
    """Return the introductory scenario."""
    return next(iter(core().scenarios))


Policy = Callable[[Question, random.Random], tuple[str, ...]]


def at_random(question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return a random legal answer."""
    ids = [choice.choice_id for choice in question.choices]
    most = question.at_most if question.can_repeat else min(question.at_most, len(ids))
    count = rng.randint(question.at_least, max(question.at_least, most))
    if question.can_repeat:
        return tuple(rng.choice(ids) for _ in range(count))
    return tuple(rng.sample(ids, count))


@attrs.define(eq=False)
class Simulation(Driver):
    """Whole game in this process; a brain or a policy answers for all seats."""

    pack: Pack = attrs.field(factory=core)
    scenario: str = attrs.field(factory=scenario_id)
    policy: Policy = at_random
    on_batch: Callable[[Batch], None] | None = None
    brain: Brain | None = None
    """
    Brain that answers in place of the policy, from the messages to its seat; None to let the policy
    answer.
    """
    views: dict[int, TableView] = attrs.field(factory=dict)
    inputs: list[tuple[Event, int]] = attrs.field(factory=list)
    meant: list[tuple[Choice, ...]] = attrs.field(factory=list)
    """
    Choices that each input names, in the order of the inputs; empty for an input that is no answer.
    """

    @property
    def game(self) -> SecondEditionTable:
        game = self.room.table.game
        assert isinstance(game, SecondEditionTable)
        return game

    def give(self, happened: Event, origin: int) -> None:
        """Give the room an input, and record the choices that it names."""
        self.meant.append(self._meant(happened))
        super().give(happened, origin)

    def after_batch(self, happened: Event, origin: int, batch: Batch) -> None:
        """Record the input, and show the batch to the brain's views and the callback."""
        self.inputs.append((happened, origin))
        if self.brain is not None:
            for seat in range(self.players):
                view = self.views.setdefault(seat, TableView(self.room.room_id, seat))
                view.receive(tuple(cut(stored, seat) for stored in batch.stored))
        if self.on_batch is not None:
            self.on_batch(batch)

    def _meant(self, happened: Event) -> tuple[Choice, ...]:
        ask = self.room.table.room.ask
        if not isinstance(happened, events.Answered) or ask is None:
            return ()
        choices = {c.choice_id: c for c in ask.questions[happened.seat].value.choices}
        return tuple(choices[pick] for pick in happened.picks.value)

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        """Return the answer of the brain, else of the policy."""
        if self.brain is not None:
            return self.brain(self.views[seat], question, self.rng)
        return self.policy(question, self.rng)

    def play(self) -> "Simulation":
        self.open()
        self.play_on()
        return self


def simulate(
    seed: int,
    players: int,
    *,
    policy: Policy = at_random,
    make_chance: MakeChance = seeded,
    on_batch: Callable[[Batch], None] | None = None,
    brain: Brain | None = None,
    pack: Pack | None = None,
) -> Simulation:
    """Return a game that is about to be opened, by default of the core pack."""
    pack = pack or core()
    library, rng = CoreLibrary(pack), random.Random(seed)
    room = Room(f"room-{seed}", library, SeededEntropy(seed), make_chance=make_chance)
    return Simulation(room, rng, players, pack, policy=policy, on_batch=on_batch, brain=brain)


def games(count: int, *, first: int = 0) -> Iterator[Simulation]:
    """Yield finished games of every number of players."""
    for seed in range(first, first + count):
        yield simulate(seed, seed % 5 + 1).play()


@functools.cache
def finished_game() -> Room:
    """Return a finished game of three. It is cached: do not change it."""
    return simulate(2, 3).play().room
