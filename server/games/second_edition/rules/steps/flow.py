"""Steps that hold other steps: `when`, `for_each`, `one_of`, `draw`, `call`, `return`."""

from content.games.second_edition.schema import effects as schema
from protocol.values import evolve
from server.games.second_edition.rules import decks, happenings, interplay, simultaneous, targets
from server.games.second_edition.rules.draws import draw_unseen
from server.games.second_edition.rules.effects import resolve, resolves
from server.games.second_edition.rules.play import Outcome, Play, Source
from server.games.second_edition.rules.requirements import holds_for


@resolves(schema.When)
async def _when(play: Play, step: schema.When, source: Source, so_far: Outcome) -> Outcome:
    """Rule EVENT-3."""
    branch = step.then if holds_for(play, step.holds, source, so_far) else step.otherwise
    return await resolve(play, branch, source, so_far)


@resolves(schema.ForEach)
async def _for_each(play: Play, step: schema.ForEach, source: Source, so_far: Outcome) -> Outcome:
    """Resolve it for several in order (CONFLICT-2); the actor's own action can be forfeited."""
    is_forfeited = so_far.is_forfeited
    people = await targets.select(play, step.who, source)
    matters = interplay.effect_matters(play, step.effect, people, is_inner=source.is_inner)
    for investigator in await simultaneous.each_in_order(play, people, matters=matters):
        if play.table.investigators[investigator].is_eliminated:
            continue
        outcome = await resolve(play, step.effect, evolve(source, actor=investigator))
        if investigator == source.actor:
            is_forfeited = is_forfeited or outcome.is_forfeited
        if outcome.is_returned:
            so_far = evolve(so_far, is_returned=True)
            break
    return evolve(so_far, is_forfeited=is_forfeited)


@resolves(schema.OneOf)
async def _one_of(play: Play, step: schema.OneOf, source: Source, so_far: Outcome) -> Outcome:
    """Rules RANDOM-1 and RANDOM-2: one of those that can come now, if there is one."""
    ways = [way for way in step.ways if holds_for(play, way.when, source, so_far)]
    way = draw_unseen(play, "effect", ways, [way.weight for way in ways])
    if way is None:
        return so_far
    return await resolve(play, way.effect, source, so_far)


@resolves(schema.Draw)
async def _draw(play: Play, step: schema.Draw, source: Source, so_far: Outcome) -> Outcome:
    """Rule RANDOM-1."""
    card = decks.draw(play, step.deck, source)
    return so_far if card is None else await resolve(play, card.effect, source, so_far)


@resolves(schema.Return)
async def _return(_play: Play, _step: schema.Return, _source: Source, so_far: Outcome) -> Outcome:
    """Mark the outcome as returned; `resolve` skips the rest of the steps."""
    return evolve(so_far, is_returned=True)


@resolves(schema.Call)
async def _call(play: Play, step: schema.Call, source: Source, so_far: Outcome) -> Outcome:
    """Resolve what the scenario says under a name; a return ends that, and goes on here."""
    happenings.note(play, step.effect)
    effect = play.content.scenario.effects[step.effect]
    return evolve(await resolve(play, effect, source, so_far), is_returned=False)
