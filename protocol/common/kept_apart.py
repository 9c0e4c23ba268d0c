"""
Roles kept apart: who had a seat of one role in a game never has a seat of another in it.

The roster of a scenario says whether it keeps them apart, and the start of the game states it on
the log. In such a game a seat changes its owner with all its secrets, whatever the settings say, or
nobody could play it; so everybody at the table has to agree. Observers have no seat in any game.
"""

from protocol.common.proposals import GiveSeat
from protocol.common.table import RoomTable


def is_kept_out(room: RoomTable, seat: int, key: bytes) -> bool:
    """Return whether a key had a seat of another role than that of `seat`."""
    role = room.seats[seat].role
    return room.is_apart and any(had != role for had in room.past_roles.get(key, ()))


def goes_with_secrets(room: RoomTable) -> bool:
    """Return whether a new owner of a seat learns its earlier secrets."""
    return room.is_apart or room.settings.secrets_go_along


def needs_absent(room: RoomTable) -> bool:
    """
    Return whether the open proposal needs the consent of absent people, too.

    It does not if a seat is given away, since two people who are away for good would keep each
    other's seats; but it does if that tells its secrets to somebody, because roles are kept apart.
    """
    proposal = room.proposal
    return proposal is None or not isinstance(proposal.aim, GiveSeat) or room.is_apart
