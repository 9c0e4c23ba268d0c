"""Steps that inflict, prevent and heal harm, and turn its cards: `suffer`, `negate`, `heal`."""

from content.games.second_edition.schema import effects as schema
from protocol.games.second_edition.events import LimitsChanged
from protocol.values import evolve
from server.games.second_edition.rules import (
    conditions,
    harm,
    harm_cards,
    interplay,
    possessions,
    simultaneous,
    stakes,
    wounds,
)
from server.games.second_edition.rules.effects import Run, resolves
from server.games.second_edition.rules.play import Outcome, Play, Source


@resolves(schema.Suffer)
async def _suffer(run: Run, step: schema.Suffer) -> None:
    """
    Inflict harm; others still suffer after one investigator is eliminated.

    Rules CONFLICT-2, DAMAGE-1, DAMAGE-2.
    """
    damage = run.scaled(step.damage)
    horror = run.scaled(step.horror)
    people = await run.people(step.who)
    matters = interplay.harm_matters(
        run.game,
        people,
        damage=damage,
        horror=horror,
        facedown=step.facedown,
        is_inner=run.source.is_inner,
    )
    for investigator in await simultaneous.each_in_order(run.game, people, matters=matters):
        await harm.suffer(
            run.game,
            investigator,
            damage=damage,
            horror=horror,
            facedown=step.facedown,
            is_inner=run.source.is_inner,
        )


@resolves(schema.Negate)
async def _negate(run: Run, step: schema.Negate) -> Outcome:
    """
    Have each investigator concerned test a skill to prevent harm.

    Rules CONFLICT-2, NEGATE-1 to NEGATE-4.
    """
    outcome = run.outcome
    damage = run.scaled(step.damage)
    horror = run.scaled(step.horror)
    modifier = run.signed(step.modifier)
    people = await run.people(step.who)
    matters = interplay.harm_matters(
        run.game,
        people,
        damage=damage,
        horror=horror,
        facedown=step.facedown,
        is_inner=run.source.is_inner,
    )
    # Games before version 3 asked for no success beyond the harm.
    is_read = run.game.version > 2 and stakes.reads_successes(
        run.game.content.scenario, outcome.whole
    )
    for investigator in await simultaneous.each_in_order(run.game, people, matters=matters):
        if run.game.table.investigators[investigator].is_eliminated:
            continue
        successes = await harm.negate(
            run.game,
            investigator,
            skill=step.skill,
            modifier=modifier,
            damage=damage,
            horror=horror,
            facedown=step.facedown,
            is_inner=run.source.is_inner,
            is_read=is_read,
        )
        outcome = evolve(outcome, successes=successes)
    return outcome


@resolves(schema.Heal)
async def _heal(run: Run, step: schema.Heal) -> None:
    """Heal harm. Rule DAMAGE-9."""
    damage = run.scaled(step.damage)
    horror = run.scaled(step.horror)
    for investigator in await run.people(step.who):
        await harm.heal(run.game, investigator, damage=damage, horror=horror)


@resolves(schema.ChangeLimits)
async def _change_limits(run: Run, step: schema.ChangeLimits) -> None:
    """
    Change health and sanity, then apply the limits to all who reached one. WOUNDED-1, INSANE-1.

    While an outer effect still inflicts harm, the limits are applied after that effect (DECIDE-51).
    """
    health, sanity = run.signed(step.health), run.signed(step.sanity)
    for investigator in await run.people(step.who):
        who = run.game.table.investigators[investigator]
        limits = (max(1, who.health + health), max(1, who.sanity + sanity))
        if limits != (who.health, who.sanity):
            run.game.emit(LimitsChanged(investigator, *limits))
    if not run.source.is_inner:
        await wounds.settle(run.game)


@resolves(schema.TurnFacedown)
async def _turn_facedown(run: Run, step: schema.TurnFacedown) -> None:
    """Turn harm cards facedown. Rule DAMAGE-6."""
    count = run.scaled(step.count)
    for investigator in await run.people(step.who):
        await harm.turn_facedown(run.game, investigator, step.harm, count)


@resolves(schema.TurnFaceup)
async def _turn_faceup(run: Run, step: schema.TurnFaceup) -> None:
    """Turn harm cards faceup. Rules DAMAGE-4 and DAMAGE-8."""
    count = run.scaled(step.count)
    people = await run.people(step.who)
    matters = interplay.texts_reach_others(run.game, step.harm)
    for investigator in await simultaneous.each_in_order(run.game, people, matters=matters):
        await harm.turn_faceup(
            run.game, investigator, step.harm, count, is_inner=run.source.is_inner
        )


@resolves(schema.LookAtFacedown)
async def _look_at_facedown(run: Run, step: schema.LookAtFacedown) -> None:
    """Let investigators look at their facedown harm cards. Rule SECRET-2."""
    for investigator in await run.people(step.who):
        harm_cards.look_at_facedown(run.game, investigator, step.harm)


@resolves(schema.TurnThisFacedown)
async def _turn_this_facedown(run: Run, _step: schema.TurnThisFacedown) -> None:
    """Turn the card with this text facedown, if it still lies faceup. Rule DECIDE-58."""
    if _is_there(run.game, run.source):
        assert run.source.harm is not None
        assert run.source.handle is not None
        harm_cards.turn_facedown(run.game, run.source.actor, run.source.harm, run.source.handle)


@resolves(schema.DiscardThis)
async def _discard_this(run: Run, _step: schema.DiscardThis) -> None:
    """Discard the card with this text, if its owner still has it. Rules DISCARD-1 and DISCARD-2."""
    if _is_there(run.game, run.source):
        assert run.source.harm is not None
        assert run.source.handle is not None
        harm_cards.discard(run.game, run.source.actor, run.source.harm, (run.source.handle,))
    elif run.source.possession is not None:
        possessions.discard(run.game, run.source.actor, run.source.possession)
    elif run.source.condition is not None:
        conditions.recover(run.game, run.source.actor, run.source.condition)


def _is_there(play: Play, source: Source) -> bool:
    return (
        source.harm is not None
        and source.handle is not None
        and harm_cards.is_faceup(play, source.actor, source.harm, source.handle)
    )
