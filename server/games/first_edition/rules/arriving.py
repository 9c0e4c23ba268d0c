"""Arriving: what a space does to the figures that move onto it. W-DECIDE-9."""

from collections.abc import Sequence

from protocol.games.first_edition.table import SpaceId
from server.games.first_edition.rules.play import Play


async def on(play: Play, figures: Sequence[str], space: SpaceId) -> None:
    """
    Resolve what lies in a space onto which figures moved, before their horror tests. W-DECIDE-9.

    Args:
        play: the game.
        figures: characters and monsters that moved together; they are in the space already.
        space: the space.
    """
