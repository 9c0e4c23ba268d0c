"""
Monsters: how they appear, suffer damage and leave.

Rules MONSTER-1 to MONSTER-15, ATTACK-11, ATTACK-12, DECIDE-48, DECIDE-134 to DECIDE-136.
"""

import itertools
from functools import partial

from content.games.second_edition.schema.scenario import Moment
from protocol.games.second_edition.events import (
    MonsterCorrected,
    MonsterDamaged,
    MonsterDiscarded,
    MonsterHealed,
    MonsterSpawned,
)
from protocol.games.second_edition.table import (
    InvestigatorId,
    Monster,
    MonsterId,
    Phase,
    SecondEditionTable,
    SpaceId,
)
from server.games.second_edition.rules import figures, triggers
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.play import Play
from server.kernel.game import Correction


def spawn(
    play: Play,
    kind: str,
    space: SpaceId,
    *,
    is_unique: bool = False,
    health: int | None = None,
    damage: int = 0,
) -> MonsterId | None:
    """
    Place one copy of a monster, its values public. Rules MONSTER-6 and SECRET-11.

    Its health grows with the number of investigators at the start (DECIDE-150). A unique monster
    bears an ID token even if it is the first of its kind (MONSTER-8).

    Args:
        play: the game.
        kind: the kind of monster.
        space: the space where it appears.
        is_unique: True for a unique monster.
        health: replaces the health of its card.
        damage: damage suffered beforehand; the monster appears with at least 1 health left.

    Returns:
        The monster's id; None if no copy is left (DECIDE-134) or its product is not in use
            (APP-19).
    """
    table = play.table
    if not is_left(play, kind):
        return None
    card = play.content.pack.monsters[kind]
    monster_id = f"m{table.next_monster}"
    most = max(1, scaled(play, card.health) if health is None else health)
    monster = Monster(
        monster_id,
        kind,
        # DECIDE-136: the first of its kind needs no token to tell it apart.
        _id_token(table) if is_unique or _in_play(table, kind) else 0,
        space,
        most,
        card.awareness,
        card.horror_rating,
        card.brawn,
        damage=min(damage, most - 1),
        abilities=card.abilities,
    )
    play.emit(MonsterSpawned(monster))
    return monster_id


def is_left(play: Play, kind: str) -> bool:
    """Return True if another copy of a kind of monster can appear. Rules DECIDE-134 and APP-19."""
    card = play.content.pack.monsters.get(kind)
    return card is not None and _in_play(play.table, kind) < card.copies


def _in_play(table: SecondEditionTable, kind: str) -> int:
    return sum(monster.kind == kind for monster in table.monsters.values())


def _id_token(table: SecondEditionTable) -> int:
    """
    Return the lowest number of an ID token that is not in use.

    Rules MONSTER-7 and MONSTER-9. The caller gives no token to the first monster of its kind
    (DECIDE-136). When the six tokens of the box are in use, the numbers continue (DECIDE-135).
    """
    used = tuple(monster.number for monster in table.monsters.values())
    return next(number for number in itertools.count(1) if number not in used)


def here(table: SecondEditionTable, space: SpaceId | None) -> tuple[MonsterId, ...]:
    """Return the monsters in a space, in the order in which they appeared. Rule MONSTER-15."""
    return tuple(m.monster_id for m in table.monsters.values() if m.space == space)


async def damage(play: Play, monster: MonsterId, amount: int) -> None:
    """
    Deal damage to a monster; one without health left is defeated and removed at once.

    Rules MONSTER-11, ATTACK-11 and ATTACK-12; damage beyond its health is lost (DECIDE-48).
    """
    if monster not in play.table.monsters or amount <= 0:
        return
    play.emit(MonsterDamaged(monster, amount))
    suffered = play.table.monsters[monster]
    if suffered.damage >= suffered.health:
        await discard(play, monster, is_defeated=True)


def corrections(table: SecondEditionTable) -> tuple[Correction, ...]:
    """
    Return the damage of each monster, which the players may agree to correct. APP-8, DECIDE-49.

    Nothing can be corrected once the game is over (WIN-3). A monster whose corrected damage reaches
    its health is defeated (MONSTER-11).
    """
    if table.phase is Phase.OVER:
        return ()
    return tuple(
        Correction(
            one.monster_id, one.damage, 0, one.health, partial(MonsterCorrected, one.monster_id)
        )
        for one in table.monsters.values()
    )


def without_health(table: SecondEditionTable) -> MonsterId | None:
    """Return the first monster without health, or None. A correction can leave one on the board."""
    return next((m.monster_id for m in table.monsters.values() if m.damage >= m.health), None)


def heal(play: Play, monster: MonsterId, amount: int) -> None:
    """Remove up to `amount` damage from a monster. Rule MONSTER-11."""
    healed = min(amount, play.table.monsters[monster].damage)
    if healed > 0:
        play.emit(MonsterHealed(monster, healed))


async def discard(play: Play, monster: MonsterId, *, is_defeated: bool = False) -> None:
    """
    Remove a monster from the board, so that its copy can appear again. Rule MONSTER-12.

    The triggers of its defeat concern the active investigator, if there is one.
    """
    # Read while the monster is still on the table.
    about = called(play, monster)
    play.emit(MonsterDiscarded(monster, is_defeated))
    if is_defeated:
        await triggers.run(play, Moment.MONSTER_DEFEATED, play.table.active, about=about)


def called(play: Play, monster: MonsterId) -> tuple[str, ...]:
    """Return a monster's names in the content: its kind, its traits, the scenario's name."""
    kind = play.table.monsters[monster].kind
    name = figures.name_of(play, monster)
    names = () if name is None else (name,)
    return (kind, *play.content.pack.monsters[kind].traits, *names)


async def announce(play: Play, monster: MonsterId, actor: InvestigatorId) -> None:
    """Run the triggers that wait for a monster of this kind to appear; they concern `actor`."""
    about = called(play, monster)
    await triggers.run(play, Moment.MONSTER_SPAWNED, actor, about=about, monster=monster)
