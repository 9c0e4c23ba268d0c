"""
Coverings: Wall tokens that shut a printed door, and Door tokens that open a printed wall.

Rules WALL-3, DOOR-3 and DISCARD-3. A covering changes the map itself, so that no other chapter has
to check for coverings.
"""

from protocol.boards.maps import Boundary, Covering, wall_between
from protocol.games.second_edition.events import CoveringPlaced, CoveringRemoved
from protocol.games.second_edition.table import DoorId
from server.games.second_edition.rules import supplies
from server.games.second_edition.rules.play import Play


def place_wall(play: Play, door: DoorId) -> None:
    """Cover a door with a Wall token, if the door is on the board; it counts as a wall. WALL-3."""
    found = play.table.map.doors.get(door)
    if found is not None:
        _place(play, Covering(_wall_of(door), Boundary.WALL, found.cells))


def remove_wall(play: Play, door: DoorId) -> None:
    """Remove the Wall token from a door."""
    remove(play, _wall_of(door))


def place_door(play: Play, token: DoorId) -> None:
    """
    Cover the wall between two spaces with a Door token; it counts as a door. Rule DOOR-3.

    Nothing is placed unless both spaces are on the board with such a wall between them.
    """
    card = next(door for door in play.content.scenario.doors if door.id == token)
    cells = wall_between(play.table.map, *card.between)
    if cells:
        _place(play, Covering(token, Boundary.DOOR, cells))


def remove(play: Play, covering: str) -> None:
    """Discard a Wall or Door token, if it is on the board. Rule DISCARD-3."""
    if any(placed.covering == covering for placed in play.table.coverings):
        play.emit(CoveringRemoved(covering))


def _wall_of(door: DoorId) -> str:
    return f"wall/{door}"


def _place(play: Play, covering: Covering) -> None:
    """
    Place a covering that is not on the board yet, if a token of its kind is left.

    Rule LIMIT-2.
    """
    is_left = supplies.is_left(play, supplies.OF_COVERINGS[covering.line])
    if is_left and all(placed.covering != covering.covering for placed in play.table.coverings):
        play.emit(CoveringPlaced(covering))
