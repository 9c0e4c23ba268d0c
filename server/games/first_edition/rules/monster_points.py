"""
Skill points of the monsters: a variant in which the keeper spoils rolls. K-VAR-2 to K-VAR-5.

The points are public, and they are not recovered (K-VAR-3). That they also buy special attacks is
in the chapter on attacks of monsters.
"""

import enum

from protocol.games.first_edition.words import INVESTIGATOR
from server.games.first_edition.rules.play import Play


class PointsBy(enum.Enum):
    """Basis of the number of the monsters' skill points. W-DECIDE-54."""

    INVESTIGATORS = "investigators"
    PLAYERS = "players"


KEEPER_SKILL_POINTS_BY = PointsBy.INVESTIGATORS


def at_start(play: Play) -> int:
    """Return the skill points at the start. K-VAR-2, W-DECIDE-54."""
    if KEEPER_SKILL_POINTS_BY is PointsBy.PLAYERS:
        return sum(player.role == INVESTIGATOR for player in play.players)
    return sum(len(player.characters) for player in play.players)
