"""Steps that bring monsters and hurt them: `spawn`, `damage_monster`."""

from content.schema import effects as schema
from protocol.second_edition.table import SpaceId
from server.rules.second_edition import monsters, powers
from server.rules.second_edition.amounts import scaled
from server.rules.second_edition.effects import resolves
from server.rules.second_edition.play import Outcome, Play, Source


@resolves(schema.Spawn)
async def _spawn(play: Play, step: schema.Spawn, source: Source, so_far: Outcome) -> Outcome:
    """Rules MONSTER-6, EVENT-5 and DECIDE-134."""
    for _ in range(scaled(play, step.count)):
        space = _space(play, step.at, source)
        if space is not None:
            monsters.spawn(play, step.kind, space)
    return so_far


def _space(play: Play, at: str, source: Source) -> SpaceId | None:
    """Return where it appears; None where that is off the board."""
    if at == "actor":
        return play.table.investigators[source.actor].space
    spaces = tuple(play.table.map.rooms)
    if at == "random":
        return play.pick("space", spaces) if spaces else None
    return at if at in spaces else None


@resolves(schema.DamageMonster)
async def _damage_monster(
    play: Play, step: schema.DamageMonster, source: Source, so_far: Outcome
) -> Outcome:
    """Rules ATTACK-11 and MONSTER-11: the damage of the weapon, the result of the test."""
    amount = step.amount
    if step.weapon:
        amount += powers.weapon_damage(play, source.actor, source.weapon)
    if step.successes:
        amount += so_far.successes
    if source.monster is not None:
        await monsters.damage(play, source.monster, amount)
    return so_far
