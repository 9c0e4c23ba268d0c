"""
Agreeing for those who are away, so that a game goes back that cannot go on otherwise.

An update may halt a game, and going back needs everybody who plays. Where only those who are away
have not agreed, somebody who is here may agree for them after a day, and whoever runs the server
at once.
"""

from typing import Final

from protocol.common.proposals import TakeBack
from protocol.common.table import RoomTable

ABSENCE_MS: Final = 24 * 3600 * 1000
"""How long a proposal waits for those who are away before a seat may agree for them."""


def absentees(room: RoomTable) -> tuple[int, ...]:
    """
    Return the seats for which somebody may agree to going back, ascending.

    These are all that have not agreed yet. Nobody where one of them is here, and where something
    else is proposed, or nothing.
    """
    proposal = room.proposal
    if proposal is None or not isinstance(proposal.aim, TakeBack):
        return ()
    heard = {proposal.by, *proposal.consents}
    seats = room.seats.values()
    left = [one for one in seats if one.key and not one.is_bot and one.seat not in heard]
    return () if any(one.is_present for one in left) else tuple(one.seat for one in left)
