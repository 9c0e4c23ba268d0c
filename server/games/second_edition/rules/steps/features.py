"""Steps that place and discard features: `place_feature`, `remove_feature`."""

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.effects import PASSAGE
from server.games.second_edition.rules import adjacency, features, targets
from server.games.second_edition.rules.effects import resolves
from server.games.second_edition.rules.play import Outcome, Play, Source


@resolves(schema.PlaceFeature)
async def _place_feature(
    play: Play, step: schema.PlaceFeature, source: Source, so_far: Outcome
) -> Outcome:
    """Rules SETFIRE-4, FIRE-11, DARKNESS-7 and DECIDE-14: the server knows what is placed."""
    space = targets.space_at(play, step.at, source)
    if space is not None:
        against = (
            adjacency.passage_in(play.table, space) if step.against == PASSAGE else step.against
        )
        features.place(play, step.feature, space, against)
    return so_far


@resolves(schema.RemoveFeature)
async def _remove_feature(
    play: Play, step: schema.RemoveFeature, source: Source, so_far: Outcome
) -> Outcome:
    """Rule DISCARD-3."""
    if step.at == "all":
        for space in play.table.spaces_with(step.feature):
            features.remove(play, step.feature, space)
    else:
        features.remove(play, step.feature, targets.space_at(play, step.at, source))
    return so_far
