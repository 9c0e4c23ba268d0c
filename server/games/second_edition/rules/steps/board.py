"""Steps that lay out and clear the board: tiles, tokens, doors and walls."""

from content.games.second_edition.schema import board_steps as more
from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.scenario import Moment
from protocol.games.second_edition.events import ChapterBegan
from server.games.second_edition.rules import (
    board,
    clearing,
    coverings,
    persons,
    removing,
    targets,
    triggers,
)
from server.games.second_edition.rules.effects import Run, resolves, story


@resolves(schema.PlaceTile)
async def _place_tile(run: Run, step: schema.PlaceTile) -> None:
    """Place a tile; run the triggers of the rooms that it reveals. Rules TILE-4 and CONFLICT-2."""
    known = set(run.game.table.map.rooms.values())
    board.place_tile(run.game, step.tile)
    revealed = [
        room for room in dict.fromkeys(run.game.table.map.rooms.values()) if room not in known
    ]
    await triggers.run_together(
        run.game,
        [triggers.Occurrence(Moment.ROOM_REVEALED, (room,), run.source.actor) for room in revealed],
    )


@resolves(schema.PlaceToken)
async def _place_token(run: Run, step: schema.PlaceToken) -> None:
    """Place a token. Rule TOKEN-1."""
    board.place_token(run.game, step.token)


@resolves(schema.RemoveToken)
async def _remove_token(run: Run, step: schema.RemoveToken) -> None:
    """Discard a token. Rules DISCARD-3 and DECIDE-99."""
    board.remove_token(run.game, step.token)


@resolves(schema.PlaceWall)
async def _place_wall(run: Run, step: schema.PlaceWall) -> None:
    """Cover a door with a Wall token. Rule WALL-3."""
    coverings.place_wall(run.game, step.door)


@resolves(schema.RemoveWall)
async def _remove_wall(run: Run, step: schema.RemoveWall) -> None:
    """Discard a Wall token. Rule DISCARD-3."""
    coverings.remove_wall(run.game, step.door)


@resolves(schema.PlaceDoor)
async def _place_door(run: Run, step: schema.PlaceDoor) -> None:
    """Cover a wall with a Door token. Rule DOOR-3."""
    coverings.place_door(run.game, step.door)


@resolves(schema.RemoveDoor)
async def _remove_door(run: Run, step: schema.RemoveDoor) -> None:
    """Discard a Door token. Rule DISCARD-3."""
    coverings.remove(run.game, step.door)


@resolves(schema.ClearBoard)
async def _clear_board(run: Run, _step: schema.ClearBoard) -> None:
    """Clear the board. Rule CLEAR-1."""
    await clearing.clear(run.game)


@resolves(more.RemoveTile)
async def _remove_tile(run: Run, step: more.RemoveTile) -> None:
    """Remove a tile and all that is on it; its investigators are moved first. Rule TILE-3."""
    await removing.remove_tile(run.game, step.tile, step.to, run.source)


@resolves(more.MoveToken)
async def _move_token(run: Run, step: more.MoveToken) -> None:
    """Move a token that is on the board. Rule TOKEN-1."""
    space = targets.space_at(run.game, step.to, run.source)
    if space is not None:
        board.move_token(run.game, step.token, space)


@resolves(more.HurtPerson)
async def _hurt_person(run: Run, step: more.HurtPerson) -> None:
    """Deal damage to a person. Rule DISCARD-3."""
    await persons.hurt(run.game, step.token, run.scaled(step.amount), run.source.actor)


@resolves(more.HealPerson)
async def _heal_person(run: Run, step: more.HealPerson) -> None:
    """Remove damage of a person."""
    persons.heal(run.game, step.token, run.scaled(step.amount))


@resolves(more.Chapter)
async def _chapter(run: Run, step: more.Chapter) -> None:
    """Begin a chapter of the story. Rule APP-3."""
    run.game.emit(ChapterBegan(story(run.game, step.text, run.source)))
