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
from server.games.second_edition.rules.effects import Run, resolves
from server.games.second_edition.rules.play import Play, Source


@resolves(schema.GainClues)
async def _gain_clues(run: Run, step: schema.GainClues) -> None:
    """Give Clues. Rule CLUE-1."""
    count = run.scaled(step.count)
    for investigator in await run.people(step.who):
        clues.gain(run.game, investigator, count)


@resolves(schema.SpendClues, by_actor=True)
async def _spend_clues(run: Run, step: schema.SpendClues) -> None:
    """Discard Clues as a cost. Rules SPEND-1 and SPEND-2."""
    clues.spend(
        run.game,
        run.source.actor,
        run.scaled(step.count),
    )


@resolves(schema.GainItem)
async def _gain_item(run: Run, step: schema.GainItem) -> None:
    """Give an Item, while copies are left. Rules ITEM-2 and CONFLICT-2."""
    for investigator in await _receivers(run.game, step.who, step.item, run.source):
        gained = possessions.gain(run.game, investigator, step.item)
        await _announce_gain(run.game, investigator, gained, run.source)


async def _receivers(
    play: Play, who: Anybody, card: CardId, source: Source
) -> tuple[InvestigatorId, ...]:
    """
    Return the investigators of a step that gives a card, in the order in which they get it.

    The group is asked for the order if it matters, as when too few copies are left.
    """
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
"""Moment of gaining a Condition that has a moment of its own."""


async def _announce_gain(
    play: Play, investigator: InvestigatorId, possession: PossessionId | None, source: Source
) -> None:
    """Run the triggers of a gained possession; do nothing if no copy was left."""
    has = possessions.held(play, investigator, possession or "")
    if has is not None:
        await possessions.announce(play, investigator, has, is_inner=source.is_inner)


@resolves(schema.GainSpell)
async def _gain_spell(run: Run, step: schema.GainSpell) -> None:
    """Give a Spell, while copies are left. Rules SPELL-1 and CONFLICT-2."""
    for investigator in await _receivers(run.game, step.who, step.spell, run.source):
        gained = possessions.gain(run.game, investigator, step.spell)
        await _announce_gain(run.game, investigator, gained, run.source)


@resolves(schema.FlipThis, by_actor=True)
async def _flip_this(run: Run, _step: schema.FlipThis) -> None:
    """Flip the card with this text. Rules SPELL-2, SPELL-3 and TWOSIDED-3."""
    await flipping.flip(run.game, run.source)


@resolves(schema.GainRandomItem)
async def _gain_random_item(run: Run, step: schema.GainRandomItem) -> None:
    """
    Give random Items; if too few are left, the first investigators gain theirs.

    Rules DECIDE-131 and CONFLICT-2.
    """
    people = await run.people(step.who)
    matters = random_items.is_short(run.game, step, len(people))
    for investigator in await simultaneous.each_in_order(run.game, people, matters=matters):
        gained = possessions.gain_random(
            run.game, investigator, step.deck, step.trait, fresh=step.fresh
        )
        await _announce_gain(run.game, investigator, gained, run.source)


@resolves(schema.LoseItem)
async def _lose_item(run: Run, step: schema.LoseItem) -> None:
    """Discard an Item of whichever investigator has it. Rule DISCARD-1."""
    possessions.lose(run.game, step.item)


@resolves(schema.DropRandomItem, by_actor=True)
async def _drop_random_item(run: Run, _step: schema.DropRandomItem) -> None:
    """Drop a random Item of the actor. Rule RANDOM-3."""
    possessions.drop_random(run.game, run.source.actor)


@resolves(schema.Become)
async def _become(run: Run, step: schema.Become) -> None:
    """Give a Condition. Rules CONDITION-1, CONDITION-3 and CONFLICT-2."""
    for investigator in await _receivers(run.game, step.who, step.condition, run.source):
        # Compared with the state afterwards: the triggers run only if the Condition is new.
        who = run.game.table.investigators[investigator]
        conditions.become(run.game, investigator, step.condition)
        now = run.game.table.investigators[investigator]
        if now.is_wounded and not who.is_wounded:
            await wounds.announce(run.game, investigator, Harm.DAMAGE, is_inner=run.source.is_inner)
        if now.is_insane and not who.is_insane:
            await wounds.announce(run.game, investigator, Harm.HORROR, is_inner=run.source.is_inner)
    if not run.source.is_inner:
        await wounds.settle(run.game)


@resolves(schema.FlipCondition)
async def _flip_condition(run: Run, step: schema.FlipCondition) -> None:
    """
    Flip a Condition of each investigator who has it front up.

    TWOSIDED-3, SECRET-5, CONFLICT-2.
    """
    people = await run.people(step.who)
    flipped = [who for who in people if conditions.held(run.game, who, step.condition) is not None]
    matters = interplay.backs_matter(
        run.game, step.condition, flipped, is_inner=run.source.is_inner
    )
    for investigator in await simultaneous.each_in_order(run.game, flipped, matters=matters):
        # Looked up again: the text of an earlier back may have discarded or flipped this one.
        has = conditions.held(run.game, investigator, step.condition)
        if has is not None and has.turned_to is None:
            own = Source(investigator, is_inner=run.source.is_inner)
            await flipping.flip_condition(run.game, own, step.condition)


@resolves(schema.Recover)
async def _recover(run: Run, step: schema.Recover) -> None:
    """Discard a Condition of each investigator concerned. Rule DISCARD-1."""
    for investigator in await run.people(step.who):
        conditions.recover(run.game, investigator, step.condition)
