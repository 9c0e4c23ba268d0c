"""Steps about monsters: moved, placed, hurt, killed, and made to attack."""

from content.games.first_edition.schema import effects as schema
from protocol.games.first_edition.events import MonsterRemoved, MonsterStunned
from server.games.first_edition.rules import (
    monster_attacks,
    monster_moves,
    monsters,
    places,
    targets,
)
from server.games.first_edition.rules.effects import Run, resolves


@resolves(schema.MoveMonster)
async def _move_monster(run: Run, step: schema.MoveMonster) -> None:
    """Have the keeper lead monsters. K-DECIDE-21."""
    among = targets.which_monsters(run.game, step.which, run.source)
    await monster_moves.lead(run.game, among, step.spaces, step.most, run.source)


@resolves(schema.PlaceMonster)
async def _place_monster(run: Run, step: schema.PlaceMonster) -> None:
    """Put monsters on the board, one after another. K-DECIDE-22, K-SUPPLY-5, K-SUPPLY-6."""
    for _ in range(step.count):
        spaces = places.spaces_at(run.game, step.at, run.source)
        if spaces:
            await monsters.bring(run.game, step.kind, spaces, run.source, step.token)


@resolves(schema.RemoveMonster)
async def _remove_monster(run: Run, step: schema.RemoveMonster) -> None:
    """Take monsters off the board; they are not killed."""
    for monster in await run.monsters(step.which, step.most):
        run.game.emit(MonsterRemoved(monster))


@resolves(schema.Strike)
async def _strike(run: Run, step: schema.Strike) -> None:
    """Deal damage to the target of an attack, and add the bonus of the weapon. K-MONSTER-1."""
    if run.source.monster is not None:
        monsters.hurt(run.game, run.source.monster, step.damage + run.source.bonus)


@resolves(schema.HurtMonster)
async def _hurt_monster(run: Run, step: schema.HurtMonster) -> None:
    """Deal damage to monsters. K-MONSTER-1."""
    for monster in await run.monsters(step.which, step.most):
        monsters.hurt(run.game, monster, step.damage)


@resolves(schema.HealMonster)
async def _heal_monster(run: Run, step: schema.HealMonster) -> None:
    """Heal damage of monsters."""
    for monster in await run.monsters(step.which, step.most):
        monsters.heal(run.game, monster, step.damage)


@resolves(schema.KillMonster)
async def _kill_monster(run: Run, step: schema.KillMonster) -> None:
    """Kill monsters without damage. K-DECIDE-56."""
    for monster in await run.monsters(step.which, step.most):
        monsters.kill(run.game, monster)


@resolves(schema.StunMonster)
async def _stun_monster(run: Run, step: schema.StunMonster) -> None:
    """Give monsters stun tokens. K-STUN-1."""
    for monster in await run.monsters(step.which, step.most):
        run.game.emit(MonsterStunned(monster, step.count))


@resolves(schema.Attack)
async def _attack(run: Run, step: schema.Attack) -> None:
    """Have monsters attack at once. K-MATTACK-1, K-MATTACK-2."""
    among = targets.which_monsters(run.game, step.which, run.source)
    await monster_attacks.attack_now(run.game, among, step.most)


@resolves(schema.SpecialAttack)
async def _special_attack(run: Run, _step: schema.SpecialAttack) -> None:
    """Have this monster make its special attack on the actor. K-MATTACK-5, K-STUN-7."""
    monster, who = run.source.monster, run.source.actor
    stands = run.game.table.monsters.get(monster or "")
    if stands is None or stands.stun or who is None:
        return
    if run.game.table.is_here(who):
        await monster_attacks.make_special(run.game, stands.monster_id, who)
