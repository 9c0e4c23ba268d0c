"""Events of monsters: places and damage."""

from protocol.event import event
from protocol.games.second_edition.events.base import (
    Game,
    SecondEditionEvent,
    with_entry,
    with_monster,
    without,
)
from protocol.games.second_edition.table import Monster, MonsterId, SpaceId
from protocol.values import evolve


@event("se/monster_spawned")
class MonsterSpawned(SecondEditionEvent):
    """A monster appeared. Rules MONSTER-6, MONSTER-7, MONSTER-10."""

    monster: Monster

    def fold(self, table: Game) -> Game:
        return evolve(
            table,
            monsters=with_entry(table.monsters, self.monster.monster_id, self.monster),
            next_monster=table.next_monster + 1,
        )


@event("se/monster_moved")
class MonsterMoved(SecondEditionEvent):
    """A monster moved one space, or was placed somewhere."""

    monster: MonsterId
    space: SpaceId

    def fold(self, table: Game) -> Game:
        return with_monster(table, self.monster, space=self.space)


@event("se/monster_damaged")
class MonsterDamaged(SecondEditionEvent):
    """A monster suffered damage. Rules ATTACK-11 and SECRET-12."""

    monster: MonsterId
    amount: int

    def fold(self, table: Game) -> Game:
        damage = table.monsters[self.monster].damage + self.amount
        return with_monster(table, self.monster, damage=damage)


@event("se/monster_healed")
class MonsterHealed(SecondEditionEvent):
    """A monster lost some of its damage by an effect. Rule MONSTER-11."""

    monster: MonsterId
    amount: int

    def fold(self, table: Game) -> Game:
        damage = table.monsters[self.monster].damage - self.amount
        return with_monster(table, self.monster, damage=damage)


@event("se/monster_corrected")
class MonsterCorrected(SecondEditionEvent):
    """The damage of a monster was corrected by consent of all. Rules APP-8 and DECIDE-49."""

    monster: MonsterId
    damage: int

    def fold(self, table: Game) -> Game:
        return with_monster(table, self.monster, damage=self.damage)


@event("se/monster_discarded")
class MonsterDiscarded(SecondEditionEvent):
    """A monster left the board. Rules MONSTER-11, MONSTER-12, ATTACK-12."""

    monster: MonsterId
    is_defeated: bool

    def fold(self, table: Game) -> Game:
        return evolve(table, monsters=without(table.monsters, self.monster))
