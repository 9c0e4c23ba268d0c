"""Invitations to a table: the lines to send, and the box that invalidates old invitations."""

from client.model.model import ANY_SEAT, WATCH
from client.screens.base.boxes import Confirm
from client.screens.base.screen import CannotDo, Desk
from client.widgets.canvas import Pane

_MANY_ROWS = 28
"""The minimum number of rows at which there is room for both invitations."""


def invitations(desk: Desk) -> list[str]:
    """Return the existing invitation lines: to play, then to watch; none in a solo game."""
    if desk.model.is_solo:
        return []
    return [line for seat in (ANY_SEAT, WATCH) if (line := desk.model.invitation(seat))]


def needed_invitations(desk: Desk) -> list[str]:
    """Return the invitation lines to send. Raise CannotDo if there are none."""
    lines = invitations(desk)
    if not lines:
        raise CannotDo("wrong.no_invitation")
    return lines


def draw_invitations(pane: Pane, desk: Desk) -> int:
    """Draw the invitation lines to send; return the row below them."""
    if desk.model.is_solo:
        return 0
    # A small screen has room for one; both are shown where they can be copied.
    seats = (ANY_SEAT, WATCH) if pane.rows >= _MANY_ROWS else (ANY_SEAT,)
    can_copy = desk.prefs.clipboard
    invite = "waiting_room.invite_line" if can_copy else "waiting_room.invite_shown"
    wide = "waiting_room.invite_wide_copied" if can_copy else "waiting_room.invite_wide"
    labels = {ANY_SEAT: invite, WATCH: "waiting_room.watch"}
    row = 0
    for seat in seats:
        line = desk.model.invitation(seat)
        if not line:
            continue
        if len(line) > pane.columns:
            # Broken in two it could not be copied, so it is shown outside alone.
            pane.write_clipped(row, 0, desk.say(wide), "class:prompt")
            return row + 2
        pane.write_clipped(row, 0, desk.say(labels[seat]), "class:prompt")
        pane.write(row + 1, 0, line, "class:invitation")
        row += 2
    return row + 1 if row else 0


def renewing_box(desk: Desk) -> Confirm:
    """Return the box that asks whether to invalidate all current invitations."""
    text = desk.say("invitation.renew_sure")
    return Confirm(desk, "box.renew", text, desk.port.renew_invitations)
