"""The roles of a table before its game: which are missing, and who has those that are full."""

from client.model.model import ClientModel
from protocol.common.table import RoomTable


def missing_roles(model: ClientModel, room: RoomTable) -> tuple[str, ...]:
    """Return the roles that more seats need before the game can start; none in a game with one."""
    roster = model.roster(room)
    if roster is None or not model.roles(room):
        return ()
    played = [model.role(room, seat) for seat in room.seats.values()]
    return tuple(role.name for role in roster.roles if played.count(role.name) < role.fewest)


def missing_in_words(model: ClientModel, room: RoomTable) -> str:
    """Return the names of the missing roles; empty if none is missing."""
    return ", ".join(model.speaker.name("role", role) for role in missing_roles(model, room))


def owners_of_full(model: ClientModel, room: RoomTable, role: str) -> str:
    """Return the names of those who have a role that nobody else can claim; empty if one can."""
    if role in model.open_roles(room):
        return ""
    return ", ".join(seat.name for seat in room.seats.values() if seat.role == role)
