"""
Clearing the board before the story moves to another place.

Rules CLEAR-1 to CLEAR-4, TILE-3, MONSTER-12, DECIDE-147 and DECIDE-148. Pieces that are set aside
can be placed again; investigators keep their cards and tokens.
"""

from protocol.games.second_edition.events import FeatureRemoved, InvestigatorMoved
from server.games.second_edition.rules import board, coverings, monsters, possessions
from server.games.second_edition.rules.play import Play


async def clear(play: Play) -> None:
    """
    Clear the board: discard loose pieces, and set the others aside.

    Rules CLEAR-1 to CLEAR-3 and DECIDE-147. The tiles go last, so that no piece ever stands on a
    space that is not on the board.
    """
    # Tables never change: the loops go over the pieces that were there before the first removal.
    table = play.table
    for who in table.investigators.values():
        if who.space is not None:
            play.emit(InvestigatorMoved(who.investigator_id, None))
    possessions.discard_lying(play)
    for monster in table.monsters:
        await monsters.discard(play, monster)
    for token in table.tokens:
        board.remove_token(play, token)
    for feature in table.features:
        play.emit(FeatureRemoved(feature))
    for covering in reversed(table.coverings):
        coverings.remove(play, covering.covering)
    for tile in reversed(table.tiles):
        board.remove_tile(play, tile.tile)
