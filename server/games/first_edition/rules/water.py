"""Water: figures on submerged spaces as the turn of their owner starts. Section 6."""

from collections.abc import Sequence

from protocol.common.text import Text
from protocol.games.first_edition.table import (
    CharacterId,
    FirstEditionTable,
    MonsterId,
    SpaceId,
)
from protocol.games.first_edition.words import FeatureKind
from server.games.first_edition.rules import (
    adjacency,
    harm,
    monster_moves,
    monsters,
    movement,
    places,
    trauma,
)
from server.games.first_edition.rules.play import Play, keeper

DAMAGE = 2
"""Damage to each figure in the water. W-WATER-2."""


async def leave(play: Play, who: CharacterId, seat: int) -> None:
    """
    Deal damage to a character in the water, and have it moved out. W-WATER-2, W-WATER-3.

    The keeper may play a trauma card on the damage before the move (W-DECIDE-4). It costs no
    step and needs no evade test (W-DECIDE-5). Allies leave as their phase starts (W-DECIDE-6).

    Args:
        play: the game.
        who: an investigator or an ally, perhaps on dry land.
        seat: the seat that chooses where to.
    """
    here = play.table.character(who).space
    if not is_deep(play.table, here):
        return
    await harm.suffer(play, who, damage=DAMAGE)
    await trauma.settle(play)
    if movement.is_at(play, who, here):
        banks = [one for one in _banks(play, here) if not movement.is_locked(play, who, one)]
        await movement.put(play, who, await _choose_bank(play, seat, who, banks))


async def monsters_leave(play: Play) -> None:
    """Deal damage to the monsters in the water, and have the keeper move them out. W-DECIDE-6."""
    done: list[MonsterId] = []
    while left := [one for one in _in_water(play.table) if one not in done]:
        monster = await _choose_monster(play, left)
        done.append(monster)
        here = play.table.monsters[monster].space
        monsters.hurt(play, monster, DAMAGE)
        if monster in play.table.monsters:
            name = places.monster_name(play.table, monster)
            bank = await _choose_bank(play, keeper(play), name, _banks(play, here))
            await monster_moves.put(play, monster, bank)
        await trauma.settle(play)


def is_deep(table: FirstEditionTable, space: SpaceId) -> bool:
    """Return whether a space is under water, and has no boat. W-WATER-1, W-WATER-5."""
    return space in table.submerged and not table.features_at(space, FeatureKind.BOAT)


def _in_water(table: FirstEditionTable) -> list[MonsterId]:
    """Return the monsters in the water that do not fly. W-WATER-6, W-FLY-5."""
    return [
        one.monster_id
        for one in table.monsters.values()
        if is_deep(table, one.space) and not one.is_flying
    ]


async def _choose_monster(play: Play, left: list[MonsterId]) -> MonsterId:
    """Have the keeper choose which monster is next; a single one needs no question. W-DECIDE-6."""
    if len(left) == 1:
        return left[0]
    return await play.choose(
        keeper(play),
        [places.of_monster(play.table, one) for one in left],
        rule="W-DECIDE-6",
        about=Text("about/water"),
        prompt=Text("ask/first_out_of_water"),
    )


def _banks(play: Play, here: SpaceId) -> list[SpaceId]:
    """Return the dry spaces across a barrier; there always is one. W-WATER-4, W-DECIDE-7."""
    across = adjacency.across_barriers(play.table, here)
    return [one for one in across if one not in play.table.submerged]


async def _choose_bank(
    play: Play, seat: int, name: str | Text, banks: Sequence[SpaceId]
) -> SpaceId:
    """Have a seat choose the space that a figure is moved to. W-WATER-3."""
    if len(banks) == 1:
        return banks[0]
    return await play.choose(
        seat,
        [places.leading_to(play.table, name, space, space) for space in banks],
        rule="W-WATER-3",
        about=Text("about/water"),
        prompt=Text("ask/out_of_water", (name,)),
    )
