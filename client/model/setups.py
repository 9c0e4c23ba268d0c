"""
Fixed setups and withheld shares, as people around a table before its game are told of them.

What can be done about either stands in the waiting room and in the commands of plain mode.
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
    """Return by what people at two tables tell that they play the same setup: `3fa2-91c0`."""
    letters = setup.setup_id[:_MARK_LETTERS]
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


def fixed_line(locale: Locale, room: RoomTable) -> str:
    """Return what is fixed at a table and what that means; empty where nothing is."""
    if room.fixed_setup is None:
        return ""
    return locale.say("waiting_room.setup", mark_of(room.fixed_setup))


def is_known(model: ClientModel) -> bool:
    """Return whether the server has said that this player knows what the table would play."""
    view = model.view
    if view is None or view.table.room.fixed_setup is None:
        return False
    return model.off_log.setup_known == (view.room_id, view.table.room.fixed_setup)


def withholding(room: RoomTable) -> tuple[Seat, ...]:
    """Return who may be put out by the host, for want of whose shares starts have failed."""
    seats = room.seats.values()
    return tuple(s for s in seats if s.withheld >= MAX_WITHHELD and s.seat != room.host)


def is_pending(records: Iterable[Record]) -> bool:
    """Return whether a game is over and its log would be whole, were its fixed setup open."""
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
