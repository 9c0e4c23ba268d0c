"""Steps about trauma cards."""

from content.games.first_edition.schema import effects as schema
from server.games.first_edition.rules import trauma
from server.games.first_edition.rules.effects import Run, resolves


@resolves(schema.Cure)
async def _cure(run: Run, step: schema.Cure) -> None:
    """Discard trauma cards. K-TRAUMA-14."""
    for who in await run.people(step.who):
        trauma.cure(run.game, who, step.kind)
