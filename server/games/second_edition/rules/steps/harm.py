"""Steps that hurt and heal: `suffer`, `negate`, `heal` and the turning of cards."""

from content.games.second_edition.schema import effects as schema
from protocol.values import evolve
from server.games.second_edition.rules import (
    conditions,
    harm,
    harm_cards,
    interplay,
    possessions,
    simultaneous,
    targets,
)
from server.games.second_edition.rules.amounts import scaled, signed
from server.games.second_edition.rules.effects import resolves
from server.games.second_edition.rules.play import Outcome, Play, Source


@resolves(schema.Suffer)
async def _suffer(play: Play, step: schema.Suffer, source: Source, so_far: Outcome) -> Outcome:
    """Rules CONFLICT-2, DAMAGE-1, DAMAGE-2; whoever falls on the way, the others go on."""
    damage = scaled(play, step.damage, source, so_far)
    horror = scaled(play, step.horror, source, so_far)
    people = await targets.select(play, step.who, source)
    matters = interplay.harm_matters(
        play, people, damage=damage, horror=horror, facedown=step.facedown, is_inner=source.is_inner
    )
    for investigator in await simultaneous.each_in_order(play, people, matters=matters):
        await harm.suffer(
            play,
            investigator,
            damage=damage,
            horror=horror,
            facedown=step.facedown,
            is_inner=source.is_inner,
        )
    return so_far


@resolves(schema.Negate)
async def _negate(play: Play, step: schema.Negate, source: Source, so_far: Outcome) -> Outcome:
    """Rules CONFLICT-2, NEGATE-1 to NEGATE-4; each one concerned makes their own test."""
    damage = scaled(play, step.damage, source, so_far)
    horror = scaled(play, step.horror, source, so_far)
    modifier = signed(play, step.modifier, source, so_far)
    people = await targets.select(play, step.who, source)
    matters = interplay.harm_matters(
        play, people, damage=damage, horror=horror, facedown=step.facedown, is_inner=source.is_inner
    )
    for investigator in await simultaneous.each_in_order(play, people, matters=matters):
        if play.table.investigators[investigator].is_eliminated:
            continue
        successes = await harm.negate(
            play,
            investigator,
            skill=step.skill,
            modifier=modifier,
            damage=damage,
            horror=horror,
            facedown=step.facedown,
            is_inner=source.is_inner,
        )
        so_far = evolve(so_far, successes=successes)
    return so_far


@resolves(schema.Heal)
async def _heal(play: Play, step: schema.Heal, source: Source, so_far: Outcome) -> Outcome:
    """Rule DAMAGE-9."""
    damage = scaled(play, step.damage, source, so_far)
    horror = scaled(play, step.horror, source, so_far)
    for investigator in await targets.select(play, step.who, source):
        await harm.heal(play, investigator, damage=damage, horror=horror)
    return so_far


@resolves(schema.TurnFacedown)
async def _turn_facedown(
    play: Play, step: schema.TurnFacedown, source: Source, so_far: Outcome
) -> Outcome:
    """Rule DAMAGE-6."""
    count = scaled(play, step.count, source, so_far)
    for investigator in await targets.select(play, step.who, source):
        await harm.turn_facedown(play, investigator, step.harm, count)
    return so_far


@resolves(schema.TurnFaceup)
async def _turn_faceup(
    play: Play, step: schema.TurnFaceup, source: Source, so_far: Outcome
) -> Outcome:
    """Rules DAMAGE-4 and DAMAGE-8."""
    count = scaled(play, step.count, source, so_far)
    people = await targets.select(play, step.who, source)
    matters = interplay.texts_reach_others(play, step.harm)
    for investigator in await simultaneous.each_in_order(play, people, matters=matters):
        await harm.turn_faceup(play, investigator, step.harm, count, is_inner=source.is_inner)
    return so_far


@resolves(schema.LookAtFacedown)
async def _look_at_facedown(
    play: Play, step: schema.LookAtFacedown, source: Source, so_far: Outcome
) -> Outcome:
    """Rule SECRET-2."""
    for investigator in await targets.select(play, step.who, source):
        harm_cards.look_at_facedown(play, investigator, step.harm)
    return so_far


@resolves(schema.TurnThisFacedown)
async def _turn_this_facedown(
    play: Play, _step: schema.TurnThisFacedown, source: Source, so_far: Outcome
) -> Outcome:
    """Rule DECIDE-58: the card whose text this is, if it still lies faceup."""
    if _is_there(play, source):
        assert source.harm is not None
        assert source.handle is not None
        harm_cards.turn_facedown(play, source.actor, source.harm, source.handle)
    return so_far


@resolves(schema.DiscardThis)
async def _discard_this(
    play: Play, _step: schema.DiscardThis, source: Source, so_far: Outcome
) -> Outcome:
    """Rules DISCARD-1 and DISCARD-2: the card whose text this is, if it still lies there."""
    if _is_there(play, source):
        assert source.harm is not None
        assert source.handle is not None
        harm_cards.discard(play, source.actor, source.harm, (source.handle,))
    elif source.possession is not None:
        possessions.discard(play, source.actor, source.possession)
    elif source.condition is not None:
        conditions.recover(play, source.actor, source.condition)
    return so_far


def _is_there(play: Play, source: Source) -> bool:
    return (
        source.harm is not None
        and source.handle is not None
        and harm_cards.is_faceup(play, source.actor, source.harm, source.handle)
    )
