"""Steps that bring monsters and hurt them: `spawn`, `damage_monster`."""

from content.schema import effects as schema
from server.rules.second_edition import monsters, powers, targets
from server.rules.second_edition.amounts import scaled
from server.rules.second_edition.effects import resolves
from server.rules.second_edition.play import Outcome, Play, Source


@resolves(schema.Spawn)
async def _spawn(play: Play, step: schema.Spawn, source: Source, so_far: Outcome) -> Outcome:
    """Rules MONSTER-6, MONSTER-8, EVENT-5 and DECIDE-134."""
    for _ in range(scaled(play, step.count, source, so_far)):
        space = targets.space_at(play, step.at, source)
        if space is not None:
            monster = monsters.spawn(play, step.kind, space, is_unique=step.unique)
            if monster is not None:
                await monsters.announce(play, monster, source.actor)
    return so_far


@resolves(schema.DamageMonster)
async def _damage_monster(
    play: Play, step: schema.DamageMonster, source: Source, so_far: Outcome
) -> Outcome:
    """Rules ATTACK-11 and MONSTER-11: the damage of the weapon, the result of the test."""
    amount = scaled(play, step.amount, source, so_far)
    if step.weapon:
        amount += powers.weapon_damage(play, source.actor, source.weapon)
    if step.successes:
        amount += so_far.successes
    if source.monster is not None:
        await monsters.damage(play, source.monster, amount)
    return so_far
