"""
Darkness, in which Clues cannot be spent, and the light that lifts it.

Rules DARKNESS-1 to DARKNESS-6 and WALL-2. Light Source is a trait of cards (TRAIT-2). A card with
this trait, carried or on the floor, lights its space and the adjacent ones, but not through walls.
"""

from protocol.games.second_edition.table import FeatureKind, InvestigatorId, SpaceId
from server.games.second_edition.rules import adjacency, sides
from server.games.second_edition.rules.play import Play
from server.games.second_edition.rules.requirements import has_trait

LIGHT_SOURCE = "light_source"
"""Trait of Items that count as a light source."""


def is_in_the_dark(play: Play, investigator: InvestigatorId) -> bool:
    """
    Return True if an investigator is in Darkness without any light.

    Rules DARKNESS-1 to DARKNESS-4.
    """
    space = play.table.investigators[investigator].space
    if space is None or not play.table.has_feature(FeatureKind.DARKNESS, space):
        return False
    near = (space, *adjacency.reached(play.table, space))
    return not any(gives_light(play, at) for at in near)


def gives_light(play: Play, space: SpaceId) -> bool:
    """Return True if a space contains a Light Source or Fire. Rules DARKNESS-5 and DARKNESS-6."""
    if play.table.has_feature(FeatureKind.FIRE, space):
        return True
    lying = play.table.lying.get(space, ())
    if any(LIGHT_SOURCE in sides.side(play.content.pack, has).traits for has in lying):
        return True
    people = play.table.investigators.values()
    return any(i.space == space and has_light_source(play, i.investigator_id) for i in people)


def has_light_source(play: Play, investigator: InvestigatorId) -> bool:
    """Return True if an investigator has a Light Source. Rules SETFIRE-2 and DARKNESS-5."""
    return has_trait(play, investigator, LIGHT_SOURCE)
