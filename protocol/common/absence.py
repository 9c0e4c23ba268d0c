"""
Consent on behalf of absent seats, to unblock a game.

An update may halt a game, and going back needs the consent of all seats. If only absent seats have
not consented, a present one may consent for them after a day, and the operator at once. Where roles
are kept apart, giving a seat away needs the consent of all, too; there a present seat may consent
for absent ones after a day, and the operator never. In the same way a game is given up that waits
for an absent person of the awaited role, which nothing else might end.
"""

from typing import Final

from protocol.common.patience import is_held_up
from protocol.common.proposals import Aim, GiveSeat, GiveUp, TakeBack
from protocol.common.table import RoomTable

ABSENCE_MS: Final = 24 * 3600 * 1000
"""
Minimum age of a proposal, in milliseconds, at which a seat may consent on behalf of absent seats.
"""


def absentees(room: RoomTable) -> tuple[int, ...]:
    """
    Return the absent seats for which somebody may consent to the open proposal, ascending.

    They are the seats of all people who have not consented. Empty if one of those people is
    present, or if their consent to that proposal is their own (see above).
    """
    proposal = room.proposal
    if proposal is None or not _may_do_without(room, proposal.aim):
        return ()
    # Bots consent to everything, and an empty seat has nobody to ask.
    heard = {proposal.by, *proposal.consents}
    seats = room.seats.values()
    left = [one for one in seats if one.key and not one.is_bot and one.seat not in heard]
    return () if any(one.is_present for one in left) else tuple(one.seat for one in left)


def _may_do_without(room: RoomTable, aim: Aim | None) -> bool:
    """Return whether a proposal may be carried out without absent people (K-DECIDE-98)."""
    match aim:
        case TakeBack():
            return True
        case GiveSeat():
            return room.is_apart
        case GiveUp():
            return is_held_up(room)
        case _:
            return False
