"""Twin games of the toy through the lobby, on a fake clock.

Two tables differ only in cards that a viewer may not know. Everything the server sends to the
viewer is compared: the messages, their order, their times and every byte.
"""

import random
from collections.abc import Sequence
from typing import Any

import attrs
import pytest

from protocol import messages
from protocol.common.table import Settings
from protocol.event import Stored
from server.kernel.batch_writer import HANDLE_BYTES
from tests.games.every import Person
from tests.games.second_edition.simulate import SeededEntropy
from tests.games.toy.house import ToyHouse
from tests.games.twins.compare import unlike
from tests.games.twins.notes import Note, noting
from tests.kernel.test_twins import oracle
from tests.kernel.twins import TwinChance, learned
from tests.kit.servers.tables import room_id_of, room_of, start_all
from tests.kit.tables.toy_table import Content

SEEDS = range(3)
ROUNDS = 60
"""Maximum number of actions of each person; the game is over by then."""

pytestmark = pytest.mark.issue(11)


@attrs.define
class TwinEntropy:
    """Entropy of a twin: handles from its own chance, all other bytes as in the first game."""

    chance: TwinChance
    seeded: SeededEntropy = attrs.field(factory=lambda: SeededEntropy(1))

    def draw(self, count: int) -> bytes:
        drawn = self.seeded.draw(count)
        return self.chance.draw(count) if count == HANDLE_BYTES else drawn


@attrs.frozen
class Played:
    """Whole game with everything two viewers were sent."""

    log: Sequence[Stored]
    notes: dict[int | None, list[Note]]
    """Notes by viewer: Ben's seat, and None for the spectator."""


def played(
    seed: int, content: Content, twin: TwinChance | None = None, *, pause: float = 0.1
) -> Played:
    """Play a game to its end; the actions follow from the seed, each `pause` seconds later."""
    if twin is None:
        house = ToyHouse(on_shelf=content)
    else:
        entropy: Any = TwinEntropy(twin)
        house = ToyHouse(on_shelf=content, entropy=entropy, make_chance=twin.make_chance)
    ann, ben = start_all(house, ["Ann", "Ben"], Settings(spectators=True))
    wat = house.client("Wat")
    notes: dict[int | None, list[Note]] = {1: noting(house, ben), None: noting(house, wat)}
    wat.port.watch(ann.session.last(messages.TableOpened).watch_code)
    people = [
        Person(client.model, client.port, random.Random(seed + at))
        for at, client in enumerate((ann, ben))
    ]
    for _ in range(ROUNDS):
        for person in people:
            person.act()
            house.settle(pause)
    assert room_of(house, ann).ask is None
    return Played(house.log_of(room_id_of(ann)), notes)


def twins(
    seed: int,
    viewer: int | None,
    *faults: str,
    deck: tuple[str, ...] = Content().deck,
    pause: float = 0.1,
) -> tuple[list[Note], list[Note]]:
    """Return what a viewer was sent in two games with different secrets."""
    content = Content(faults=faults, deck=deck)
    first = played(seed, content, pause=pause)
    chance = TwinChance(first.log, learned(first.log, viewer, oracle), seed)
    second = played(seed, content, chance, pause=pause)
    assert chance.moved, "no card lies elsewhere"
    return first.notes[viewer], second.notes[viewer]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("viewer", [1, None], ids=["seat", "spectator"])
def test_nothing_that_is_sent_tells_a_hidden_card(viewer: int | None, seed: int) -> None:
    """The bytes, the times and the number of messages are equal."""
    first, second = twins(seed, viewer)

    assert len(first) > 10
    assert unlike(first, second) is None


@pytest.mark.parametrize("fault", ["leak/field", "leak/count"])
def test_a_planted_leak_is_seen(fault: str) -> None:
    assert any(unlike(*twins(seed, None, fault)) for seed in SEEDS)


def test_a_message_that_comes_later_is_seen() -> None:
    """The message is later by the smallest step of the clock."""
    first, second = twins(0, None)
    at, message = second[-1]

    assert unlike(first, [*second[:-1], (at + 0.05, message)])
