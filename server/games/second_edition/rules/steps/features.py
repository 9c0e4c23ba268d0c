"""Steps that place and discard features: `place_feature`, `remove_feature`."""

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.effects import PASSAGE
from server.games.second_edition.rules import adjacency, features, targets
from server.games.second_edition.rules.effects import Run, resolves


@resolves(schema.PlaceFeature)
async def _place_feature(run: Run, step: schema.PlaceFeature) -> None:
    """
    Place a feature.

    Rules SETFIRE-4, FIRE-11, DARKNESS-7, and DECIDE-14: nobody has to report it.
    """
    space = targets.space_at(run.game, step.at, run.source)
    if space is not None:
        against = (
            adjacency.passage_in(run.game.table, space) if step.against == PASSAGE else step.against
        )
        features.place(run.game, step.feature, space, against)


@resolves(schema.RemoveFeature)
async def _remove_feature(run: Run, step: schema.RemoveFeature) -> None:
    """Discard a feature. Rule DISCARD-3."""
    if step.at == "all":
        for space in run.game.table.spaces_with(step.feature):
            features.remove(run.game, step.feature, space)
    else:
        features.remove(run.game, step.feature, targets.space_at(run.game, step.at, run.source))
