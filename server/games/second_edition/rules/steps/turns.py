"""Steps that concern the actor's action, turn and figure."""

from content.games.second_edition.schema import effects as schema
from protocol.games.second_edition.events import ActionsGained, ActionsLost
from protocol.values import evolve
from server.games.second_edition.rules import movement, placing, targets
from server.games.second_edition.rules.effects import Run, resolves
from server.games.second_edition.rules.play import Outcome


@resolves(schema.Forfeit, by_actor=True)
async def _forfeit(run: Run, _step: schema.Forfeit) -> Outcome:
    """
    Mark the action as forfeited. Rule EVADE-6.

    The rule that required the check then carries out the forfeit (FORFEIT-1).
    """
    return evolve(run.outcome, is_forfeited=True)


@resolves(schema.LoseActions, by_actor=True)
async def _lose_actions(run: Run, step: schema.LoseActions) -> None:
    """Remove up to the step's number of the actor's actions, if it is the actor's turn. TURN-2."""
    lost = min(
        run.scaled(step.count),
        run.game.table.actions_left,
    )
    if run.game.table.active == run.source.actor and lost:
        run.game.emit(ActionsLost(run.source.actor, lost))


@resolves(schema.GainActions, by_actor=True)
async def _gain_actions(run: Run, step: schema.GainActions) -> None:
    """Give the actor further actions, if it is the actor's turn. Rule TURN-2."""
    count = run.scaled(step.count)
    if run.game.table.active == run.source.actor and count:
        run.game.emit(ActionsGained(run.source.actor, count))


@resolves(schema.MayMove, by_actor=True)
async def _may_move(run: Run, step: schema.MayMove) -> None:
    """Offer the actor a move of up to a number of spaces. Rule MOVE-14."""
    spaces = run.scaled(step.spaces)
    await movement.may_move(run.game, run.source.actor, spaces, is_inner=run.source.is_inner)


@resolves(schema.MayEnter, by_actor=True)
async def _may_enter(run: Run, step: schema.MayEnter) -> None:
    """Offer the actor a move through an explored door. Rules EXPLORE-3 and EXPLORE-4."""
    await movement.may_enter(run.game, run.source.actor, step.door, is_inner=run.source.is_inner)


@resolves(schema.MoveAway, by_actor=True)
async def _move_away(run: Run, step: schema.MoveAway) -> None:
    """Move the actor away from the monster, if there is one. Rules MOVE-15 and NEAREST-4."""
    if run.source.monster is not None:
        spaces = run.scaled(step.spaces)
        await movement.move_away(
            run.game,
            run.source.actor,
            run.source.monster,
            spaces,
            is_inner=run.source.is_inner,
        )


@resolves(schema.PlaceInvestigator)
async def _place_investigator(run: Run, step: schema.PlaceInvestigator) -> None:
    """
    Place or move investigators one by one; the target space is determined for each separately.

    Rules MOVE-12, MOVE-13, MOVE-15 and CONFLICT-2.
    """
    people = await run.people(step.who)
    said = step.space if step.toward is None else step.toward.space
    if step.toward is not None:
        people = await placing.walkers_in_order(run.game, people)
    elif said is not None:
        people = await placing.people_in_order(run.game, people, said, run.source)
    for investigator in people:
        space = None if said is None else targets.space_at(run.game, said, run.source)
        if space is None:
            continue
        if step.toward is None:
            await movement.place(run.game, investigator, space, is_inner=run.source.is_inner)
        else:
            spaces = run.scaled(step.toward.spaces)
            await movement.move_toward(
                run.game, investigator, space, spaces, is_inner=run.source.is_inner
            )
