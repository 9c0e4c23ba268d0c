"""Steps that lay out and clear the board: tiles and tokens."""

from content.schema import effects as schema
from server.rules.second_edition import board
from server.rules.second_edition.effects import resolves
from server.rules.second_edition.play import Outcome, Play, Source


@resolves(schema.PlaceTile)
async def _place_tile(
    play: Play, step: schema.PlaceTile, _source: Source, so_far: Outcome
) -> Outcome:
    """Rule TILE-4."""
    board.place_tile(play, step.tile)
    return so_far


@resolves(schema.PlaceToken)
async def _place_token(
    play: Play, step: schema.PlaceToken, _source: Source, so_far: Outcome
) -> Outcome:
    """Rule TOKEN-1."""
    board.place_token(play, step.token)
    return so_far


@resolves(schema.RemoveToken)
async def _remove_token(
    play: Play, step: schema.RemoveToken, _source: Source, so_far: Outcome
) -> Outcome:
    """Rules DISCARD-3 and DECIDE-99."""
    board.remove_token(play, step.token)
    return so_far
