"""Making invitations worthless that came into wrong hands."""

from client.screens.base.boxes import Confirm
from client.screens.base.screen import Desk


def renewing_box(desk: Desk) -> Confirm:
    """Return the box that asks whether what was given out is to be worthless."""
    text = desk.say("invitation.renew_sure")
    return Confirm(desk, "box.renew", text, desk.port.renew_invitations)
