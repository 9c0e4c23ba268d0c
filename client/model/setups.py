"""
Sentences on fixed setups and withheld shares, for the time before a game.

The waiting room, and the commands of plain mode, add what the player can do about them.
"""

from collections.abc import Iterable

from client.locale import Locale
from client.model.model import ClientModel
from protocol.common import events
from protocol.common.table import MAX_WITHHELD, FixedSetup, RoomTable, Seat
from protocol.event import Record

_MARK_LETTERS = 8
_GROUP = 4


def mark_of(setup: FixedSetup) -> str:
    """Return a mark such as `3fa2-91c0`, with which people at two tables can compare setups."""
    letters = setup.setup_id[:_MARK_LETTERS]
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


def fixed_line(locale: Locale, room: RoomTable) -> str:
    """Return a sentence on the table's fixed setup; empty if the table has none."""
    if room.fixed_setup is None:
        return ""
    return locale.say("waiting_room.setup", mark_of(room.fixed_setup))


def is_known(model: ClientModel) -> bool:
    """Return whether this player already knows the table's fixed setup, according to the server."""
    view = model.view
    if view is None or view.table.room.fixed_setup is None:
        return False
    return model.off_log.setup_known == (view.room_id, view.table.room.fixed_setup)


def withholding(room: RoomTable) -> tuple[Seat, ...]:
    """Return the seats that the host may empty because they made starts fail.

    A seat makes a start fail by withholding its share of chance.
    """
    seats = room.seats.values()
    return tuple(s for s in seats if s.withheld >= MAX_WITHHELD and s.seat != room.host)


def is_pending(records: Iterable[Record]) -> bool:
    """Return whether a finished game cannot be verified yet, because its fixed setup is secret.

    The log is complete once the owner of the setup closes it.
    """
    setup, is_published, is_over = None, False, False
    for record in records:
        match record.event:
            case events.RoomOpened() as opened:
                is_published = opened.settings.publish
            case events.SetupFixed() as fixed:
                setup = fixed.setup
            case events.RoomClosed():
                is_over = True
            case events.SetupOpened():
                setup = None
            case _:
                pass
    return is_published and is_over and setup is not None
