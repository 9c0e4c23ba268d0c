"""
Removing a tile: everything on it goes first, so no piece stands on a space off the board.

Rules TILE-3, DISCARD-1, DISCARD-3, MONSTER-12, MOVE-12 and DECIDE-147.
"""

from collections.abc import Iterator

from protocol.boards.maps import Boundary, Covering, Map, compose, wall_between
from protocol.games.second_edition.events import BarricadeShifted, FeatureRemoved, InvestigatorMoved
from protocol.games.second_edition.table import InvestigatorId, SpaceId
from server.games.second_edition.rules import (
    board,
    coverings,
    distance,
    monsters,
    movement,
    placing,
    possessions,
    targets,
)
from server.games.second_edition.rules.play import Play, Source


async def remove_tile(play: Play, tile: str, to: str, source: Source) -> None:
    """
    Remove a tile and all that is on it, if it is on the board. Its investigators are moved.

    Args:
        play: the game.
        tile: the tile.
        to: the space for the investigators on it, in the words of a step; `nearest` means nearest
            to each of them.
        source: the source of the step.
    """
    if all(placed.tile != tile for placed in play.table.tiles):
        return
    doomed = tuple(space for space in play.table.map.rooms if space.rpartition("/")[0] == tile)
    # Figures first: entering another space may set off effects that still need this board.
    await _move_off_tile(play, doomed, to, source)
    for monster in tuple(play.table.monsters.values()):
        if monster.space in doomed:
            await monsters.discard(play, monster.monster_id)
    possessions.discard_lying(play, doomed)
    tiles = tuple(placed for placed in play.table.tiles if placed.tile != tile)
    for covering in tuple(_pointless(play, compose(tiles))):
        coverings.remove(play, covering.covering)
    # Composed again, since the coverings that were just removed no longer count.
    left = compose(tiles, play.table.coverings)
    for token in tuple(play.table.tokens.values()):
        if token.at not in left.rooms and token.at not in left.doors:
            board.remove_token(play, token.token_id)
    _discard_features(play, doomed, left)
    board.remove_tile(play, tile)


async def _move_off_tile(play: Play, doomed: tuple[SpaceId, ...], to: str, source: Source) -> None:
    """
    Place the tile's investigators elsewhere, and resolve what entering causes before the tile goes.

    Rule CONFLICT-2. Investigators for whom no space is left lose their place on the board.
    """
    investigators = play.table.investigators
    people = [who for who in play.table.standing() if investigators[who].space in doomed]
    # The nearest to each here is the nearest space that stays, occupied or not.
    at = "random" if to == "nearest" else to
    for who in await placing.people_in_order(play, people, at, source):
        if play.table.investigators[who].space in doomed:
            space = _destination(play, who, doomed, to, source)
            if space is not None:
                await movement.place(play, who, space)
    for who in play.table.standing():
        if play.table.investigators[who].space in doomed:
            play.emit(InvestigatorMoved(who, None))


def _destination(
    play: Play, who: InvestigatorId, doomed: tuple[SpaceId, ...], to: str, source: Source
) -> SpaceId | None:
    """
    Return an investigator's new space: the named one if it stays, otherwise the nearest. NEAREST-1.

    If none can be reached, a random space is returned; None if no space stays.
    """
    said = None if to == "nearest" else targets.space_at(play, to, source)
    if said is not None and said not in doomed:
        return said
    here = play.table.investigators[who].space
    assert here is not None
    staying = {space: space for space in play.table.map.rooms if space not in doomed}
    near = distance.nearest(play.table, here, staying)
    return targets.any_space(play, near or tuple(staying))


def _discard_features(play: Play, doomed: tuple[SpaceId, ...], left: Map) -> None:
    """
    Discard the features in the tile's spaces. BARRICADE-1.

    A Barricade elsewhere whose door is removed stays, and then stands free.
    """
    for feature in tuple(play.table.features.values()):
        if feature.space in doomed:
            play.emit(FeatureRemoved(feature.feature_id))
    for feature in tuple(play.table.features.values()):
        known = {*left.doors, *play.table.features}
        if feature.against is not None and feature.against not in known:
            play.emit(BarricadeShifted(feature.feature_id, None))


def _pointless(play: Play, left: Map) -> Iterator[Covering]:
    """Yield the Wall tokens whose door is removed and the Door tokens whose wall is removed."""
    between = {door.id: door.between for door in play.content.scenario.doors}
    doors = {cell for door in left.doors.values() for cell in door.cells}
    for covering in play.table.coverings:
        if covering.line is Boundary.DOOR:
            is_there = bool(wall_between(left, *between[covering.covering]))
        else:
            is_there = doors.issuperset(covering.cells)
        if not is_there:
            yield covering
