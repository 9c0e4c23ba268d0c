"""Steps that bring monsters, hurt and heal them, move them and take them away."""

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema import monster_steps as more
from protocol.games.second_edition.table import MonsterId
from server.games.second_edition.rules import (
    activation,
    draws,
    figures,
    monster_targets,
    monsters,
    movement,
    placing,
    powers,
    simultaneous,
    targets,
)
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.effects import resolves
from server.games.second_edition.rules.play import Outcome, Play, Source


@resolves(schema.Spawn)
async def _spawn(play: Play, step: schema.Spawn, source: Source, so_far: Outcome) -> Outcome:
    """Rules MONSTER-6, MONSTER-8, EVENT-5 and DECIDE-134."""
    health = None if step.health is None else max(1, scaled(play, step.health, source, so_far))
    for _ in range(scaled(play, step.count, source, so_far)):
        space = targets.space_at(play, step.at, source, is_dealt=True)
        kind = _kind(play, step)
        if space is None or kind is None:
            break
        damage = scaled(play, step.damage, source, so_far)
        monster = monsters.spawn(
            play, kind, space, is_unique=step.unique, health=health, damage=damage
        )
        if monster is not None:
            await _arrived(play, step, monster, source)
    return so_far


def _kind(play: Play, step: schema.Spawn) -> str | None:
    """
    Return the kind that comes; None where nothing that fits is left. Rule RANDOM-1.

    On the log a trait goes by a number, since its name would tell the script.
    """
    if step.name is not None and figures.find(play, step.name) is not None:
        return None
    if step.kind is not None:
        return step.kind
    cards = play.content.pack.monsters.values()
    fitting = [
        card.id
        for card in cards
        if step.trait in card.traits and monsters.is_left(play, card.id)
        if not (step.fresh and figures.has_come(play, card.id))
    ]
    if not fitting:
        return None
    traits = sorted({trait for card in cards for trait in card.traits})
    purpose = f"monster {traits.index(step.trait or '') + 1}"
    return draws.deal(play, purpose, fitting, before="monster")


async def _arrived(play: Play, step: schema.Spawn, monster: MonsterId, source: Source) -> None:
    """Remember what has come, then set off what comes of it."""
    if step.name is not None:
        figures.remember(play, step.name, monster)
    figures.note(play, play.table.monsters[monster].kind)
    await monsters.announce(play, monster, source.actor)


@resolves(schema.DamageMonster)
async def _damage_monster(
    play: Play, step: schema.DamageMonster, source: Source, so_far: Outcome
) -> Outcome:
    """Rules ATTACK-11, MONSTER-11, CONFLICT-2: the weapon's damage, the result of the test."""
    amount = scaled(play, step.amount, source, so_far)
    if step.weapon:
        amount += powers.weapon_damage(play, source.actor, source.weapon)
    if step.successes:
        amount += so_far.successes
    found = await monster_targets.select(play, step.which, source)
    matters = placing.defeats_matter(play, found, amount)
    for monster in await simultaneous.each_monster_in_order(play, found, matters=matters):
        await monsters.damage(play, monster, amount)
    return so_far


@resolves(more.HealMonster)
async def _heal_monster(
    play: Play, step: more.HealMonster, source: Source, so_far: Outcome
) -> Outcome:
    """Rule MONSTER-11."""
    amount = scaled(play, step.amount, source, so_far)
    for monster in await monster_targets.select(play, step.which, source):
        monsters.heal(play, monster, amount)
    return so_far


@resolves(more.RemoveMonster)
async def _remove_monster(
    play: Play, step: more.RemoveMonster, source: Source, so_far: Outcome
) -> Outcome:
    """Rule MONSTER-12."""
    for monster in await monster_targets.select(play, step.which, source):
        await monsters.discard(play, monster)
    return so_far


@resolves(more.MoveMonster)
async def _move_monster(
    play: Play, step: more.MoveMonster, source: Source, so_far: Outcome
) -> Outcome:
    """Rules NEAREST-3, CONFLICT-2, DECIDE-103 and DECIDE-105."""
    spaces = scaled(play, step.spaces, source, so_far)
    found = await monster_targets.select(play, step.which, source)
    for monster in await placing.movers_in_order(play, found, spaces):
        if monster not in play.table.monsters:
            continue
        if step.toward == "nearest":
            await activation.approach_nearest(play, monster, spaces)
        elif step.toward == "actor":
            await activation.approach(play, monster, source.actor, spaces)
        else:
            await activation.move_toward(play, monster, lambda: step.toward, spaces)
    return so_far


@resolves(more.PlaceMonster)
async def _place_monster(
    play: Play, step: more.PlaceMonster, source: Source, so_far: Outcome
) -> Outcome:
    """Rules MOVE-12, FIRE-8 and CONFLICT-2; each of several finds its own space."""
    found = await monster_targets.select(play, step.which, source)
    for monster in await placing.monsters_in_order(play, found, step.space, source):
        space = targets.space_at(play, step.space, source)
        if space is not None and monster in play.table.monsters:
            await movement.enter_as_monster(play, monster, space)
    return so_far


@resolves(more.Activate)
async def _activate(play: Play, step: more.Activate, source: Source, so_far: Outcome) -> Outcome:
    """
    Rules ACTIVATE-3 to ACTIVATE-7, FIRE-7, CONFLICT-2; the monster step comes for it all the same.

    What one does changes what the next one finds, unless there is nobody on the board.
    """
    found = await monster_targets.select(play, step.which, source)
    matters = bool(activation.on_board(play.table))
    for monster in await simultaneous.each_monster_in_order(play, found, matters=matters):
        if monster in play.table.monsters:
            await activation.act(play, monster, is_by_effect=True)
    return so_far
