"""Steps that place, damage, heal, move and remove monsters."""

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema import monster_steps as more
from server.games.second_edition.rules import (
    activation,
    draws,
    figures,
    monsters,
    movement,
    placing,
    powers,
    simultaneous,
    targets,
)
from server.games.second_edition.rules.effects import Run, resolves
from server.games.second_edition.rules.play import Play


@resolves(schema.Spawn)
async def _spawn(run: Run, step: schema.Spawn) -> None:
    """
    Place monsters, as long as there are a space and a kind for the next one.

    Rules MONSTER-6, MONSTER-8, EVENT-5 and DECIDE-134.
    """
    health = None if step.health is None else max(1, run.scaled(step.health))
    for _ in range(run.scaled(step.count)):
        space = targets.space_at(run.game, step.at, run.source, is_dealt=True)
        kind = _kind(run.game, step)
        if space is None or kind is None:
            break
        damage = run.scaled(step.damage)
        monster = monsters.spawn(
            run.game, kind, space, is_unique=step.unique, health=health, damage=damage
        )
        if monster is not None:
            if step.name is not None:
                figures.remember(run.game, step.name, monster)
            figures.note(run.game, run.game.table.monsters[monster].kind)
            await monsters.announce(run.game, monster, run.source.actor)


def _kind(play: Play, step: schema.Spawn) -> str | None:
    """
    Return the kind of monster to place: the named one, or one drawn by its trait. Rule RANDOM-1.

    None if a monster with the name of the step is on the board, or no kind with the trait has a
    copy left. The log has a number in place of the trait, whose name would reveal the script.
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


@resolves(schema.DamageMonster)
async def _damage_monster(run: Run, step: schema.DamageMonster) -> None:
    """
    Deal damage: the step's own, the weapon's and the successes of the test.

    Rules ATTACK-11, MONSTER-11, CONFLICT-2.
    """
    amount = run.scaled(step.amount)
    if step.weapon:
        amount += powers.weapon_damage(run.game, run.source.actor, run.source.weapon)
    if step.successes:
        amount += run.outcome.successes
    found = await run.monsters(step.which)
    matters = placing.defeats_matter(run.game, found, amount)
    for monster in await simultaneous.each_monster_in_order(run.game, found, matters=matters):
        await monsters.damage(run.game, monster, amount)


@resolves(more.HealMonster)
async def _heal_monster(run: Run, step: more.HealMonster) -> None:
    """Heal monsters. Rule MONSTER-11."""
    amount = run.scaled(step.amount)
    for monster in await run.monsters(step.which):
        monsters.heal(run.game, monster, amount)


@resolves(more.RemoveMonster)
async def _remove_monster(run: Run, step: more.RemoveMonster) -> None:
    """Remove monsters from the board. Rule MONSTER-12."""
    for monster in await run.monsters(step.which):
        await monsters.discard(run.game, monster)


@resolves(more.MoveMonster)
async def _move_monster(run: Run, step: more.MoveMonster) -> None:
    """
    Move monsters toward their goal, or away from what they flee.

    Rules NEAREST-3, NEAREST-4, CONFLICT-2, DECIDE-103 and DECIDE-105.
    """
    spaces, away_from = run.scaled(step.spaces), step.away_from
    found = await run.monsters(step.which)
    flee = away_from is not None
    for monster in await placing.movers_in_order(run.game, found, spaces, flee=flee):
        if monster not in run.game.table.monsters:
            continue
        if away_from == "investigators":
            await activation.flee(run.game, monster, spaces)
        elif away_from is not None:
            await activation.move_away(
                run.game,
                monster,
                lambda: targets.spaces_at(run.game, step.away_from or "", run.source),
                spaces,
            )
        elif step.toward == "nearest":
            await activation.approach_nearest(run.game, monster, spaces)
        elif step.toward == "actor":
            await activation.approach(run.game, monster, run.source.actor, spaces)
        else:
            await activation.move_toward(run.game, monster, lambda: step.toward, spaces)


@resolves(more.PlaceMonster)
async def _place_monster(run: Run, step: more.PlaceMonster) -> None:
    """
    Place monsters; a space is found for each separately.

    Rules MOVE-12, FIRE-8 and CONFLICT-2.
    """
    found = await run.monsters(step.which)
    for monster in await placing.monsters_in_order(run.game, found, step.space, run.source):
        space = targets.space_at(run.game, step.space, run.source)
        # What an earlier placement caused may have removed this monster.
        if space is not None and monster in run.game.table.monsters:
            await movement.enter_as_monster(run.game, monster, space)


@resolves(more.Activate)
async def _activate(run: Run, step: more.Activate) -> None:
    """
    Activate monsters in addition to their activation in the monster step.

    Rules ACTIVATE-3 to ACTIVATE-7, FIRE-7, CONFLICT-2. The group is asked for the order if an
    investigator is on the board, since each activation can change the next one.
    """
    found = await run.monsters(step.which)
    matters = bool(activation.on_board(run.game.table))
    for monster in await simultaneous.each_monster_in_order(run.game, found, matters=matters):
        if monster in run.game.table.monsters:
            await activation.act(run.game, monster, is_by_effect=True)
