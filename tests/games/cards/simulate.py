"""Whole games of the card game in this process, played from seeds."""

import functools
import random
from collections import Counter
from collections.abc import Callable

import attrs

from content.games.cards.loader import load_pack
from content.games.cards.schema.pack import Pack
from content.reading.files import shipped
from protocol.common.asks import Question
from protocol.common.text import Text
from protocol.event import Event
from protocol.games.cards.table import CardsTable
from server.authoring.driver import Driver, PackLibrary, SeededEntropy
from server.games.cards.rules.actions import LEAVING
from server.kernel.batch_writer import Batch
from server.kernel.chance import seeded
from server.kernel.room import Room


@functools.cache
def core() -> Pack:
    """Return the bundled pack."""
    return load_pack(shipped("cards") / "casebook")


RELUCTANCE = 0.1
"""Probability that a curious player answers at random."""


def at_random(question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return a random legal answer."""
    ids = [choice.choice_id for choice in question.choices]
    most = min(question.at_most, len(ids))
    count = rng.randint(question.at_least, max(question.at_least, most))
    return tuple(rng.sample(ids, count))


DULL = frozenset(["choice/end_turn", "choice/pass", "choice/leave", "choice/show_hand"])
"""Choices by which nothing happens."""


@attrs.define(eq=False)
class Curious:
    """Players who choose what was chosen least so far, and do not resign, mostly."""

    chosen: Counter[Text] = attrs.field(factory=Counter)

    def answer(self, question: Question, rng: random.Random) -> tuple[str, ...]:
        """Return a legal answer."""
        keen = [
            choice
            for choice in question.choices
            if choice.text.subject not in DULL and choice.group != LEAVING
        ]
        least = max(question.at_least, 1)
        if len(keen) < least or question.at_most < least or rng.random() < RELUCTANCE:
            return at_random(question, rng)
        rng.shuffle(keen)
        keen.sort(key=lambda choice: self.chosen[choice.text])
        taken = keen[: rng.randint(least, min(question.at_most, len(keen)))]
        self.chosen.update(choice.text for choice in taken)
        return tuple(choice.choice_id for choice in taken)


@attrs.define(eq=False)
class Simulation(Driver):
    """Whole game in this process; a policy answers for all seats."""

    policy: Callable[[Question, random.Random], tuple[str, ...]] = at_random
    on_batch: Callable[[Batch], None] | None = None

    @property
    def game(self) -> CardsTable:
        game = self.room.table.game
        assert isinstance(game, CardsTable)
        return game

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        del seat
        return self.policy(question, self.rng)

    def after_batch(self, happened: Event, origin: int, batch: Batch) -> None:
        """Show the batch to the callback."""
        del happened, origin
        if self.on_batch is not None:
            self.on_batch(batch)

    def play(self) -> "Simulation":
        self.open()
        self.play_on()
        return self


def simulate(
    seed: int,
    players: int,
    *,
    pack: Pack | None = None,
    scenario: str = "",
    on_batch: Callable[[Batch], None] | None = None,
) -> Simulation:
    """Return a game that is about to be opened, by default of the core pack."""
    pack = pack or core()
    room = Room(f"room-{seed}", PackLibrary(pack), SeededEntropy(seed), make_chance=seeded)
    chosen = scenario or next(iter(pack.scenarios))
    return Simulation(room, random.Random(seed), players, pack, chosen, on_batch=on_batch)
