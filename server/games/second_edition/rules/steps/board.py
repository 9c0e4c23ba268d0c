"""Steps that lay out and clear the board: tiles, tokens, and what covers doors and walls."""

from content.games.second_edition.schema import board_steps as more
from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.scenario import Moment
from protocol.games.second_edition.events import ChapterBegan
from server.games.second_edition.rules import (
    board,
    clearing,
    coverings,
    removing,
    targets,
    triggers,
)
from server.games.second_edition.rules.effects import resolves, story
from server.games.second_edition.rules.play import Outcome, Play, Source


@resolves(schema.PlaceTile)
async def _place_tile(
    play: Play, step: schema.PlaceTile, source: Source, so_far: Outcome
) -> Outcome:
    """Rules TILE-4 and CONFLICT-2."""
    known = set(play.table.map.rooms.values())
    board.place_tile(play, step.tile)
    revealed = [room for room in dict.fromkeys(play.table.map.rooms.values()) if room not in known]
    await triggers.run_together(
        play,
        [triggers.Occurrence(Moment.ROOM_REVEALED, (room,), source.actor) for room in revealed],
    )
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


@resolves(schema.PlaceWall)
async def _place_wall(
    play: Play, step: schema.PlaceWall, _source: Source, so_far: Outcome
) -> Outcome:
    """Rule WALL-3."""
    coverings.place_wall(play, step.door)
    return so_far


@resolves(schema.RemoveWall)
async def _remove_wall(
    play: Play, step: schema.RemoveWall, _source: Source, so_far: Outcome
) -> Outcome:
    """Rule DISCARD-3."""
    coverings.remove_wall(play, step.door)
    return so_far


@resolves(schema.PlaceDoor)
async def _place_door(
    play: Play, step: schema.PlaceDoor, _source: Source, so_far: Outcome
) -> Outcome:
    """Rule DOOR-3."""
    coverings.place_door(play, step.door)
    return so_far


@resolves(schema.RemoveDoor)
async def _remove_door(
    play: Play, step: schema.RemoveDoor, _source: Source, so_far: Outcome
) -> Outcome:
    """Rule DISCARD-3."""
    coverings.remove(play, step.door)
    return so_far


@resolves(schema.ClearBoard)
async def _clear_board(
    play: Play, _step: schema.ClearBoard, _source: Source, so_far: Outcome
) -> Outcome:
    """Rule CLEAR-1."""
    await clearing.clear(play)
    return so_far


@resolves(more.RemoveTile)
async def _remove_tile(
    play: Play, step: more.RemoveTile, source: Source, so_far: Outcome
) -> Outcome:
    """Rule TILE-3."""
    await removing.remove_tile(play, step.tile, step.to, source)
    return so_far


@resolves(more.MoveToken)
async def _move_token(play: Play, step: more.MoveToken, source: Source, so_far: Outcome) -> Outcome:
    """Rule TOKEN-1: one that lies there lies elsewhere."""
    space = targets.space_at(play, step.to, source)
    if space is not None:
        board.move_token(play, step.token, space)
    return so_far


@resolves(more.Chapter)
async def _chapter(play: Play, step: more.Chapter, source: Source, so_far: Outcome) -> Outcome:
    """Rule APP-3."""
    play.emit(ChapterBegan(story(play, step.text, source)))
    return so_far
