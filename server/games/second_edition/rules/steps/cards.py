"""Steps that give and take Clues, Items and Conditions."""

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.scenario import Moment
from content.games.second_edition.schema.targets import Anybody
from protocol.games.second_edition.table import CardId, Harm, InvestigatorId, PossessionId
from server.games.second_edition.rules import (
    clues,
    conditions,
    flipping,
    interplay,
    possessions,
    random_items,
    simultaneous,
    targets,
    wounds,
)
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.effects import resolves
from server.games.second_edition.rules.play import Outcome, Play, Source


@resolves(schema.GainClues)
async def _gain_clues(
    play: Play, step: schema.GainClues, source: Source, so_far: Outcome
) -> Outcome:
    """Rule CLUE-1."""
    count = scaled(play, step.count, source, so_far)
    for investigator in await targets.select(play, step.who, source):
        clues.gain(play, investigator, count)
    return so_far


@resolves(schema.SpendClues, by_actor=True)
async def _spend_clues(
    play: Play, step: schema.SpendClues, source: Source, so_far: Outcome
) -> Outcome:
    """Rules SPEND-1 and SPEND-2."""
    clues.spend(play, source.actor, scaled(play, step.count, source, so_far))
    return so_far


@resolves(schema.GainItem)
async def _gain_item(play: Play, step: schema.GainItem, source: Source, so_far: Outcome) -> Outcome:
    """Rules ITEM-2 and CONFLICT-2."""
    for investigator in await _takers(play, step.who, step.item, source):
        gained = possessions.gain(play, investigator, step.item)
        await _gained(play, investigator, gained, source)
    return so_far


async def _takers(
    play: Play, who: Anybody, card: CardId, source: Source
) -> tuple[InvestigatorId, ...]:
    """Return who gains a copy of a card; of too few copies the first have theirs."""
    people = await targets.select(play, who, source)
    wanting = [who for who in people if conditions.held(play, who, card) is None]
    moments = [_GAINED.get(card, Moment.ITEM_GAINED)]
    matters = interplay.is_short(play, card, len(wanting)) or interplay.trigger_matters(
        play, moments, (card,), is_several=len(wanting) > 1
    )
    return await simultaneous.each_in_order(play, people, matters=matters)


_GAINED = {
    interplay.WOUNDED: Moment.INVESTIGATOR_WOUNDED,
    interplay.INSANE: Moment.INVESTIGATOR_INSANE,
}
"""The moments of gaining a card, if it is not that of any possession."""


async def _gained(
    play: Play, investigator: InvestigatorId, possession: PossessionId | None, source: Source
) -> None:
    """Set off what comes of it, if a copy was left to be gained."""
    has = possessions.held(play, investigator, possession or "")
    if has is not None:
        await possessions.announce(play, investigator, has, is_inner=source.is_inner)


@resolves(schema.GainSpell)
async def _gain_spell(
    play: Play, step: schema.GainSpell, source: Source, so_far: Outcome
) -> Outcome:
    """Rules SPELL-1 and CONFLICT-2."""
    for investigator in await _takers(play, step.who, step.spell, source):
        gained = possessions.gain(play, investigator, step.spell)
        await _gained(play, investigator, gained, source)
    return so_far


@resolves(schema.FlipThis, by_actor=True)
async def _flip_this(
    play: Play, _step: schema.FlipThis, source: Source, so_far: Outcome
) -> Outcome:
    """Rules SPELL-2, SPELL-3 and TWOSIDED-3."""
    await flipping.flip(play, source)
    return so_far


@resolves(schema.GainRandomItem)
async def _gain_random_item(
    play: Play, step: schema.GainRandomItem, source: Source, so_far: Outcome
) -> Outcome:
    """Rules DECIDE-131 and CONFLICT-2: of too few Items the first have theirs."""
    people = await targets.select(play, step.who, source)
    matters = random_items.is_short(play, step, len(people))
    for investigator in await simultaneous.each_in_order(play, people, matters=matters):
        gained = possessions.gain_random(
            play, investigator, step.deck, step.trait, fresh=step.fresh
        )
        await _gained(play, investigator, gained, source)
    return so_far


@resolves(schema.LoseItem)
async def _lose_item(
    play: Play, step: schema.LoseItem, _source: Source, so_far: Outcome
) -> Outcome:
    """Rule DISCARD-1."""
    possessions.lose(play, step.item)
    return so_far


@resolves(schema.DropRandomItem, by_actor=True)
async def _drop_random_item(
    play: Play, _step: schema.DropRandomItem, source: Source, so_far: Outcome
) -> Outcome:
    """Rule RANDOM-3."""
    possessions.drop_random(play, source.actor)
    return so_far


@resolves(schema.Become)
async def _become(play: Play, step: schema.Become, source: Source, so_far: Outcome) -> Outcome:
    """Rules CONDITION-1, CONDITION-3 and CONFLICT-2."""
    for investigator in await _takers(play, step.who, step.condition, source):
        who = play.table.investigators[investigator]
        conditions.become(play, investigator, step.condition)
        now = play.table.investigators[investigator]
        if now.is_wounded and not who.is_wounded:
            await wounds.announce(play, investigator, Harm.DAMAGE, is_inner=source.is_inner)
        if now.is_insane and not who.is_insane:
            await wounds.announce(play, investigator, Harm.HORROR, is_inner=source.is_inner)
    if not source.is_inner:
        await wounds.settle(play)
    return so_far


@resolves(schema.FlipCondition)
async def _flip_condition(
    play: Play, step: schema.FlipCondition, source: Source, so_far: Outcome
) -> Outcome:
    """Rules TWOSIDED-3, SECRET-5 and CONFLICT-2: a back that lies up stays up."""
    people = await targets.select(play, step.who, source)
    flipped = [who for who in people if conditions.held(play, who, step.condition) is not None]
    matters = interplay.backs_matter(play, step.condition, flipped, is_inner=source.is_inner)
    for investigator in await simultaneous.each_in_order(play, flipped, matters=matters):
        has = conditions.held(play, investigator, step.condition)
        if has is not None and has.turned_to is None:
            own = Source(investigator, is_inner=source.is_inner)
            await flipping.flip_condition(play, own, step.condition)
    return so_far


@resolves(schema.Recover)
async def _recover(play: Play, step: schema.Recover, source: Source, so_far: Outcome) -> Outcome:
    """Rule DISCARD-1."""
    for investigator in await targets.select(play, step.who, source):
        conditions.recover(play, investigator, step.condition)
    return so_far
