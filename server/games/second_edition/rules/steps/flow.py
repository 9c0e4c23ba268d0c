"""Steps of control flow: `when`, `for_each`, `one_of`, `draw`, `call`, `return`."""

from content.games.second_edition.schema import effects as schema
from protocol.values import evolve
from server.games.second_edition.rules import decks, happenings, interplay, simultaneous
from server.games.second_edition.rules.draws import draw_unseen
from server.games.second_edition.rules.effects import Run, resolve, resolves
from server.games.second_edition.rules.play import Outcome


@resolves(schema.When)
async def _when(run: Run, step: schema.When) -> Outcome:
    """Resolve one of two effects, by a requirement. Rule EVENT-3."""
    branch = step.then if run.holds(step.holds) else step.otherwise
    return await run.resolve(branch)


@resolves(schema.ForEach)
async def _for_each(run: Run, step: schema.ForEach) -> Outcome:
    """
    Resolve an effect for several investigators in order. Rule CONFLICT-2.

    Only a forfeit by the actor forfeits the action of the outer effect.
    """
    so_far, is_forfeited = run.outcome, run.outcome.is_forfeited
    people = await run.people(step.who)
    matters = interplay.effect_matters(run.game, step.effect, people, is_inner=run.source.is_inner)
    for investigator in await simultaneous.each_in_order(run.game, people, matters=matters):
        if run.game.table.investigators[investigator].is_eliminated:
            continue
        # The outcome so far is not passed on: one investigator's results do not count for the next.
        outcome = await resolve(run.game, step.effect, evolve(run.source, actor=investigator))
        if investigator == run.source.actor:
            is_forfeited = is_forfeited or outcome.is_forfeited
        if outcome.is_returned:
            so_far = evolve(so_far, is_returned=True)
            break
    return evolve(so_far, is_forfeited=is_forfeited)


@resolves(schema.OneOf)
async def _one_of(run: Run, step: schema.OneOf) -> Outcome | None:
    """Resolve an available effect, drawn by weight; none if there is none. RANDOM-1, RANDOM-2."""
    ways = [way for way in step.ways if run.holds(way.when)]
    way = draw_unseen(run.game, "effect", ways, [way.weight for way in ways])
    if way is None:
        return None
    return await run.resolve(way.effect)


@resolves(schema.Draw)
async def _draw(run: Run, step: schema.Draw) -> Outcome | None:
    """Draw a card of a deck and resolve it. Rule RANDOM-1."""
    card = decks.draw(run.game, step.deck, run.source)
    return None if card is None else await run.resolve(card.effect)


@resolves(schema.Return)
async def _return(run: Run, _step: schema.Return) -> Outcome:
    """Mark the outcome as returned; `resolve` skips the rest of the steps."""
    return evolve(run.outcome, is_returned=True)


@resolves(schema.Call)
async def _call(run: Run, step: schema.Call) -> Outcome:
    """Resolve a named effect of the scenario; a return inside it ends that effect alone."""
    happenings.note(run.game, step.effect)
    effect = run.game.content.scenario.effects[step.effect]
    return evolve(await run.resolve(effect), is_returned=False)
