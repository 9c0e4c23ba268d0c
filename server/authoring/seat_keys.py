"""
Signs the inputs of seats that one program plays, as the clients of their players would.

Logs of version `SIGNED_VERSION` and later need these signatures. In an older log nothing is signed.
"""

from collections.abc import Mapping

from protocol.common import events
from protocol.common.signed import (
    commitment_of_share,
    next_number,
    next_opening,
    ready_statement,
    share_statement,
    start_statement,
)
from protocol.common.table import SIGNED_VERSION, RoomTable
from protocol.event import Event
from protocol.keys import SigningKey


def bound(room: RoomTable, seat: int, share: bytes) -> events.ShareCommitted:
    """Return the input by which a seat commits to `share`, its part in the game's chance."""
    number, before = next_opening(room, seat)
    return events.ShareCommitted(seat, commitment_of_share(room, seat, share, number, before))


def signed(room: RoomTable, event: Event, keys: Mapping[bytes, SigningKey]) -> Event:
    """
    Return an input signed by its seat; unchanged if inputs of its kind are not signed.

    Args:
        room: the room before the input.
        event: the input; a number and a signature that it has are replaced.
        keys: keys of the players, by public key. A seat with another key, or of a bot, signs
            nothing.
    """
    # These are the inputs that a start rests on; no others are signed.
    if not isinstance(event, events.ReadySet | events.StartRequested | events.ShareOpened):
        return event
    owner = room.seats.get(event.seat)
    key = None if owner is None or owner.is_bot else keys.get(owner.key)
    if key is None or room.version < SIGNED_VERSION:
        return event
    seat, room_id = event.seat, room.room_id
    if isinstance(event, events.ShareOpened):
        number, before = next_opening(room, seat)
        said = share_statement(room, seat, event.share, number, before)
        return events.ShareOpened(seat, event.share, number, before, key.sign(said))
    number = next_number(room, seat)
    if isinstance(event, events.StartRequested):
        said = start_statement(room_id, seat, number)
        return events.StartRequested(seat, number, key.sign(said))
    said = ready_statement(room_id, seat, number, is_ready=event.is_ready)
    return events.ReadySet(seat, event.is_ready, number, key.sign(said))
