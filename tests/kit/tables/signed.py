"""Games of the toy whose seats sign: the start of a log of the version that servers write."""

from protocol.common import events
from protocol.common.signed import (
    commitment_of_share,
    next_number,
    ready_statement,
    share_statement,
    start_id,
    start_statement,
)
from protocol.common.table import LOG_VERSION, Opened, RoomTable, Settings
from protocol.keys import SigningKey
from tests.kit.tables.playing import ROOM_ID, Recording, share_of
from tests.kit.tables.toy_table import PIECES, RULESET


def signer_of(seat: int) -> SigningKey:
    """Return the key of whoever sits there first."""
    return SigningKey.from_seed(bytes([seat + 1]) * 32)


def seated(recording: Recording, seats: int, settings: Settings | None = None) -> Recording:
    """Open a room whose seats sign, and seat that many people, each with what they play."""
    content_hash = b"\1" * 32
    settings = settings or Settings()
    recording.give(
        events.RoomOpened(ROOM_ID, RULESET, "toy/plain", content_hash, settings, LOG_VERSION, None),
        0,
    )
    for seat in range(seats):
        key = signer_of(seat).public
        recording.give(events.SeatTaken(seat, f"Player {seat}", key, is_bot=False), seat)
    for seat in range(seats):
        pieces = PIECES[:2] if seats == 1 else (PIECES[seat],)
        recording.give(events.CharactersClaimed(seat, pieces), seat)
    return recording


def ready(recording: Recording) -> Recording:
    """Have everybody sign that they are ready."""
    for seat in recording.table.room.seats:
        if not recording.table.room.seats[seat].is_ready:
            number = next_number(recording.table.room, seat)
            said = ready_statement(ROOM_ID, seat, number, is_ready=True)
            signature = signer_of(seat).sign(said)
            recording.give(events.ReadySet(seat, True, number, signature), seat)
    return recording


def opening_of(room: RoomTable, seat: int) -> tuple[int, bytes]:
    """Return the number of a seat's next opening, and the start that it names as the last one."""
    last = room.opened.get(signer_of(seat).public, Opened())
    return last.number + 1, last.start


def committed(recording: Recording, attempt: int = 0) -> Recording:
    """Let the host sign the start, and everybody commit to their share."""
    host = recording.table.room.host
    number = next_number(recording.table.room, host)
    signature = signer_of(host).sign(start_statement(ROOM_ID, host, number))
    recording.give(events.StartRequested(host, number, signature), host)
    for seat in recording.table.room.seats:
        room = recording.table.room
        said = commitment_of_share(room, seat, share_of(seat, attempt), *opening_of(room, seat))
        recording.give(events.ShareCommitted(seat, said), seat)
    return recording


def opened(recording: Recording, seat: int, attempt: int = 0) -> Recording:
    """Let a seat sign and open its share."""
    room = recording.table.room
    own = (seat, share_of(seat, attempt), *opening_of(room, seat))
    signature = signer_of(seat).sign(share_statement(room, *own))
    recording.give(events.ShareOpened(*own, signature), seat)
    return recording


def started(recording: Recording, attempt: int = 0) -> Recording:
    """Go through the whole ceremony; the game asks its first question."""
    committed(recording, attempt)
    assert start_id(recording.table.room)
    for seat in recording.table.room.seats:
        opened(recording, seat, attempt)
    return recording
