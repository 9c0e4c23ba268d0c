"""Steps that touch the actor's action, turn and figure."""

from content.games.second_edition.schema import effects as schema
from protocol.games.second_edition.events import ActionsLost
from protocol.values import evolve
from server.games.second_edition.rules import movement, placing, targets
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.effects import resolves
from server.games.second_edition.rules.play import Outcome, Play, Source


@resolves(schema.Forfeit, by_actor=True)
async def _forfeit(_play: Play, _step: schema.Forfeit, _source: Source, so_far: Outcome) -> Outcome:
    """Rule EVADE-6. The rule that made the check forfeits the action (FORFEIT-1)."""
    return evolve(so_far, is_forfeited=True)


@resolves(schema.LoseActions, by_actor=True)
async def _lose_actions(
    play: Play, step: schema.LoseActions, source: Source, so_far: Outcome
) -> Outcome:
    """Take actions of this turn away, as many as are left. Rule TURN-2."""
    lost = min(scaled(play, step.count, source, so_far), play.table.actions_left)
    if play.table.active == source.actor and lost:
        play.emit(ActionsLost(source.actor, lost))
    return so_far


@resolves(schema.MayMove, by_actor=True)
async def _may_move(play: Play, step: schema.MayMove, source: Source, so_far: Outcome) -> Outcome:
    """Rule MOVE-14."""
    spaces = scaled(play, step.spaces, source, so_far)
    await movement.may_move(play, source.actor, spaces, is_inner=source.is_inner)
    return so_far


@resolves(schema.MayEnter, by_actor=True)
async def _may_enter(play: Play, step: schema.MayEnter, source: Source, so_far: Outcome) -> Outcome:
    """Rules EXPLORE-3 and EXPLORE-4."""
    await movement.may_enter(play, source.actor, step.door, is_inner=source.is_inner)
    return so_far


@resolves(schema.MoveAway, by_actor=True)
async def _move_away(play: Play, step: schema.MoveAway, source: Source, so_far: Outcome) -> Outcome:
    """Rules MOVE-15 and NEAREST-4."""
    if source.monster is not None:
        spaces = scaled(play, step.spaces, source, so_far)
        await movement.move_away(
            play, source.actor, source.monster, spaces, is_inner=source.is_inner
        )
    return so_far


@resolves(schema.PlaceInvestigator)
async def _place_investigator(
    play: Play, step: schema.PlaceInvestigator, source: Source, so_far: Outcome
) -> Outcome:
    """Rules MOVE-12, MOVE-13, MOVE-15 and CONFLICT-2; each of several finds their own space."""
    people = await targets.select(play, step.who, source)
    said = step.space if step.toward is None else step.toward.space
    if step.toward is not None:
        people = await placing.walkers_in_order(play, people)
    elif said is not None:
        people = await placing.people_in_order(play, people, said, source)
    for investigator in people:
        space = None if said is None else targets.space_at(play, said, source)
        if space is None:
            continue
        if step.toward is None:
            await movement.place(play, investigator, space, is_inner=source.is_inner)
        else:
            spaces = scaled(play, step.toward.spaces, source, so_far)
            await movement.move_toward(play, investigator, space, spaces, is_inner=source.is_inner)
    return so_far
