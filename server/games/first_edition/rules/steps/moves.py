"""Steps that move investigators."""

from content.games.first_edition.schema import effects as schema
from server.games.first_edition.rules import movement, places
from server.games.first_edition.rules.effects import Run, resolves


@resolves(schema.Move)
async def _move(run: Run, step: schema.Move) -> None:
    """Have the keeper move investigators, without evade tests. K-EVADE-10."""
    play = run.game
    for who in await run.people(step.who):
        if who not in play.table.investigators:
            continue
        if step.spaces:
            await movement.lead(play, who, step.spaces, run.source)
        elif step.to is not None:
            spaces = [
                space
                for space in places.spaces_at(play, step.to, run.source)
                if movement.can_be_put(play, who, space)
            ]
            if spaces:
                space = await places.choose_space(play, spaces, run.source, who)
                await movement.put(play, who, space)
