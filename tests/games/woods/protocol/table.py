"""What lies on the table of the woods."""

from collections.abc import Mapping
from typing import Any

import attrs

from protocol.common.table import GameTable, RoomTable, register_game
from protocol.event import Sealed

RULESET = "woods"
ANIMAL = "animal"
KEEPER = "keeper"
"""The two roles; secrets of the keeper are sealed to whoever has that role."""


@attrs.frozen
class Animal:
    """Somebody who walks in the woods."""

    name: str
    seat: int
    taste: Sealed[str] | None = None
    """What it likes best; known to whoever plays it."""
    berries: int = 1
    has_fallen: bool = False
    clearing: str = "brook"
    """Where it walked last."""


@attrs.frozen
class WoodsTable(GameTable):
    """The animals, and what the keeper has laid out for them."""

    animals: Mapping[str, Animal] = attrs.field(factory=dict)
    """By name, in the order in which they came; the fallen, too."""
    snare: Sealed[str] | None = None
    """Where the snare lies; known to the keeper until an animal walks into it."""
    round_number: int = 0
    winner: str = ""
    """A role, once the game is over."""

    def seats_of(self, room: RoomTable, knower: str) -> tuple[int, ...]:
        """Return who knows what an animal knows, whoever claimed it; roles stay as claimed."""
        animal = self.animals.get(knower)
        return room.seats_of(knower) if animal is None else (animal.seat,)

    def with_animal(self, name: str, **changes: Any) -> "WoodsTable":
        """Return the table with one animal changed."""
        animal = attrs.evolve(self.animals[name], **changes)
        return attrs.evolve(self, animals={**self.animals, name: animal})

    def living(self, seat: int | None = None) -> tuple[Animal, ...]:
        """Return the animals that have not fallen, of one seat or of all."""
        left = (animal for animal in self.animals.values() if not animal.has_fallen)
        return tuple(animal for animal in left if seat in {None, animal.seat})


register_game(RULESET, WoodsTable)
