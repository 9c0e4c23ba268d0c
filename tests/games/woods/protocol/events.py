"""Events of the woods."""

import attrs

from protocol import codec
from protocol.common.events import Disclosure
from protocol.common.table import GameEvent
from protocol.event import EVERYBODY, Sealed, event, secret
from tests.games.woods.protocol.table import Animal, WoodsTable


@event("woods/animal_came")
class AnimalCame(GameEvent):
    """An animal joined; its secrets are told from the next record on."""

    animal: str
    seat: int

    def fold(self, table: WoodsTable) -> WoodsTable:
        animal = Animal(self.animal, self.seat, has_walked=table.snare is not None)
        return attrs.evolve(table, animals={**table.animals, self.animal: animal})


@event("woods/taste_learnt")
class TasteLearnt(GameEvent):
    """An animal learnt what it likes best."""

    animal: str
    taste: Sealed[str] = secret(to="animal")

    def fold(self, table: WoodsTable) -> WoodsTable:
        return table.with_animal(self.animal, taste=self.taste)


@event("woods/snare_laid")
class SnareLaid(GameEvent):
    """The keeper laid the snare."""

    role: str
    clearing: Sealed[str] = secret(to="role")

    def fold(self, table: WoodsTable) -> WoodsTable:
        return attrs.evolve(table, snare=self.clearing)


@event("woods/snare_moved")
class SnareMoved(GameEvent):
    """The keeper moved the snare, perhaps to where it was."""

    role: str
    clearing: Sealed[str] = secret(to="role")

    def fold(self, table: WoodsTable) -> WoodsTable:
        return attrs.evolve(table, snare=self.clearing, tricks=table.tricks + 1)


@event("woods/walked")
class Walked(GameEvent):
    """Animals moved: all at once, or one of them."""

    walks: tuple[tuple[str, str], ...]
    """Pairs of an animal and the clearing to which it walks."""

    def fold(self, table: WoodsTable) -> WoodsTable:
        for animal, clearing in self.walks:
            table = table.with_animal(animal, clearing=clearing, has_walked=True)
        return table


@event("woods/snare_shown")
class SnareShown(GameEvent):
    """An animal walked into the snare, which everybody now sees."""

    opened: Disclosure

    @property
    def clearing(self) -> str:
        found: str = codec.decode(self.opened.value, str)
        return found

    def fold(self, table: WoodsTable) -> WoodsTable:
        assert table.snare is not None
        return attrs.evolve(table, snare=table.snare.seen_by((EVERYBODY,)).opened(self.clearing))


@event("woods/berries_changed")
class BerriesChanged(GameEvent):
    """An animal gained or lost berries."""

    animal: str
    by: int

    def fold(self, table: WoodsTable) -> WoodsTable:
        berries = table.animals[self.animal].berries + self.by
        return table.with_animal(self.animal, berries=berries)


@event("woods/fell")
class Fell(GameEvent):
    """An animal was eliminated."""

    animal: str

    def fold(self, table: WoodsTable) -> WoodsTable:
        return table.with_animal(self.animal, has_fallen=True)


@event("woods/round_ended")
class RoundEnded(GameEvent):
    """The round is over, and the snare is removed."""

    def fold(self, table: WoodsTable) -> WoodsTable:
        for animal in table.animals:
            table = table.with_animal(animal, has_walked=False)
        return attrs.evolve(table, snare=None, round_number=table.round_number + 1)


@event("woods/ended")
class Ended(GameEvent):
    """The game is over."""

    winner: str

    def fold(self, table: WoodsTable) -> WoodsTable:
        return attrs.evolve(table, winner=self.winner)
