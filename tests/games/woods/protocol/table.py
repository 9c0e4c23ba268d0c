"""Table of the woods."""

from collections.abc import Mapping
from typing import Any

import attrs

from protocol.common.table import GameEnd, GameTable, RoomTable, Score, Settings, register_game
from protocol.event import Sealed

RULESET = "woods"
ANIMALS = tuple(f"animal/{name}" for name in ("badger", "crane", "deer", "ermine", "finch"))
CLEARINGS = tuple(f"clearing/{name}" for name in ("brook", "glade", "thicket"))
ANIMAL = "animal"
KEEPER = "keeper"
"""Role of the keeper. Secrets of the keeper are sealed to the seat in this role."""
NOBODY = "nobody"
"""Winner of a game that nobody wins."""


@attrs.frozen
class Animal:
    """Animal in play, walked by a seat."""

    name: str
    seat: int
    taste: Sealed[str] | None = None
    """Favourite food; known to its player."""
    berries: int = 1
    has_fallen: bool = False
    clearing: str = CLEARINGS[0]
    """Clearing of the animal's last walk."""
    has_walked: bool = False
    """True if the animal has walked in this round, or came during it."""


@attrs.frozen
class WoodsTable(GameTable):
    """Table of the woods: the animals, and the keeper's snare."""

    usual_settings = Settings(takebacks=False)
    """One against the others: what was seen cannot be forgotten."""
    has_settings = ("takebacks", "stops", "least_seconds", "laid_ready")

    awaited_role = KEEPER

    animals: Mapping[str, Animal] = attrs.field(factory=dict)
    """Animals by name, in the order in which they came; the fallen, too."""
    snare: Sealed[str] | None = None
    """Clearing of the snare; known to the keeper until an animal walks into it."""
    tricks: int = 0
    """How often the keeper has moved the snare in this game."""
    round_number: int = 0
    winner: str = ""
    """Role that won, or `NOBODY`; empty until the game is over."""

    def came_out(self) -> GameEnd | None:
        """Return the result, with the berries of the animals and the animals that fell."""
        if not self.winner:
            return None
        animals = self.animals.values()
        scores = (
            Score("score/berries", ANIMAL, sum(one.berries for one in self.living())),
            Score("score/fallen", KEEPER, sum(one.has_fallen for one in animals)),
        )
        winners = () if self.winner == NOBODY else (self.winner,)
        return GameEnd(winners, self.round_number, scores)

    def seats_of(self, room: RoomTable, knower: str) -> tuple[int, ...]:
        """Return the seats that know the secrets of an animal or a role."""
        animal = self.animals.get(knower)
        return room.seats_of(knower) if animal is None else (animal.seat,)

    def with_animal(self, name: str, **changes: Any) -> "WoodsTable":
        animal = attrs.evolve(self.animals[name], **changes)
        return attrs.evolve(self, animals={**self.animals, name: animal})

    def living(self, seat: int | None = None) -> tuple[Animal, ...]:
        """Return the animals that have not fallen, of one seat or of all."""
        left = (animal for animal in self.animals.values() if not animal.has_fallen)
        return tuple(animal for animal in left if seat in {None, animal.seat})


register_game(RULESET, WoodsTable)
