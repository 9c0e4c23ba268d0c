"""Steps about allies: placed, removed and talked to."""

from content.games.first_edition.schema import effects as schema
from server.games.first_edition.rules import places, tales
from server.games.first_edition.rules.effects import Run, resolves


@resolves(schema.PlaceAlly)
async def _place_ally(run: Run, step: schema.PlaceAlly) -> None:
    """Put an ally on the board; one that has come before does not come. W-ALLY-3, W-DECIDE-29."""
    play = run.game
    spaces = places.spaces_at(play, step.at, run.source)
    if spaces and step.ally not in play.table.tales:
        space = await places.choose_space(play, spaces, run.source, step.ally)
        tales.place(play, step.ally, space)


@resolves(schema.RemoveAlly)
async def _remove_ally(run: Run, step: schema.RemoveAlly) -> None:
    """Remove an ally that is not killed; its items are left in its room."""
    if step.ally in run.game.table.allies:
        tales.leave(run.game, step.ally, is_killed=False)


@resolves(schema.Talk)
async def _talk(run: Run, step: schema.Talk) -> None:
    """Turn up the next story card of an ally, and resolve it. W-DECIDE-32."""
    await tales.tell(run.game, step.ally, run.source.actor)
