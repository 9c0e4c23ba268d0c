"""
Statements that seats sign: readiness, the request to start, and each opening of a share of chance.

A server can lose a signed statement, but cannot forge one. At each opening a seat signs how many
starts of this table its key has opened a share in, and the id of the previous one. If the server
hides a start, the signed number exceeds the number of starts on the log.

Seats sign in logs from `SIGNED_VERSION` on. Bots of the server have no key and sign nothing: the
server knows their shares anyway.
"""

import hashlib

from protocol import codec
from protocol.common.table import SIGNED_VERSION, Opened, RoomTable, Seat
from protocol.keys import WeakKey, check_key, is_signed


def start_id(room: RoomTable) -> bytes:
    """Return the id of a start: a digest of all that is committed before a share is opened."""
    ceremony, setup = room.ceremony, room.fixed_setup
    assert ceremony is not None
    assert room.play_seed is not None and room.house_seed is not None  # noqa: PT018 (one thing)
    seeds = (room.play_seed.commitment, room.house_seed.commitment)
    # Sorted: the digest must not depend on the order in which commitments arrived.
    shares = tuple(sorted(ceremony.commitments.items()))
    fixed = None if setup is None else setup.commitment
    bound = ("manse kept start 1", room.room_id, room.version, seeds, fixed, shares)
    return hashlib.sha256(codec.pack(bound)).digest()


def seeds_id(room: RoomTable) -> bytes:
    """Return a digest of the seeds' commitments, which names a start before any share."""
    assert room.play_seed is not None and room.house_seed is not None  # noqa: PT018 (one thing)
    seeds = (room.play_seed.commitment, room.house_seed.commitment)
    fixed = None if room.fixed_setup is None else room.fixed_setup.commitment
    bound = ("manse seeds of a start 1", room.room_id, room.version, seeds, fixed)
    return hashlib.sha256(codec.pack(bound)).digest()


def commitment_of_share(
    room: RoomTable, seat: int, share: bytes, number: int, before: bytes
) -> bytes:
    """
    Return a seat's commitment to its share of chance in the current start.

    It also covers the number of starts in which the seat's key has opened a share (`number`), and
    the id of the previous one (`before`). The commitment enters the keys of chance, so all three
    are fixed before any share is opened. It covers the seat, so nobody can open what another seat
    committed to. In a log before `SIGNED_VERSION` it is a hash of the share alone.
    """
    if room.version < SIGNED_VERSION:
        return hashlib.sha256(share).digest()
    bound = ("manse share 3", room.room_id, seat, number, before, share)
    return hashlib.sha256(codec.pack(bound)).digest()


def ready_statement(room_id: str, seat: int, number: int, *, is_ready: bool) -> bytes:
    """Return the bytes that a seat signs to become ready, or unready."""
    return codec.pack(("manse ready 1", room_id, seat, is_ready, number))


def start_statement(room_id: str, seat: int, number: int) -> bytes:
    """Return the bytes that the host signs to request the start."""
    return codec.pack(("manse start 1", room_id, seat, number))


def share_statement(room: RoomTable, seat: int, share: bytes, number: int, before: bytes) -> bytes:
    """Return the bytes that a seat signs when it opens its share in the current start."""
    digest = hashlib.sha256(share).digest()
    return codec.pack(
        ("manse opening 1", room.room_id, seat, number, before, start_id(room), digest)
    )


def next_number(room: RoomTable, seat: int) -> int:
    """Return the lowest number for the next readiness or start request that a seat signs."""
    return room.stated.get(room.seats[seat].key, 0) + 1


def next_opening(room: RoomTable, seat: int) -> tuple[int, bytes]:
    """
    Return the number of starts and the previous start that a seat signs if it opens its share now.

    Both follow from the log alone. They are 0 and empty if the seat signs nothing.
    """
    signer = _signer(room, seat)
    if signer is None:
        return 0, b""
    last = room.opened.get(signer.key, Opened())
    # In a practice game one key opens the shares of all seats, in one start.
    is_open = last.start == start_id(room)
    return (last.number, last.before) if is_open else (last.number + 1, last.start)


def is_stated(room: RoomTable, seat: int, statement: bytes, number: int, signature: bytes) -> bool:
    """
    Return whether a readiness or start request has the required signature and a new number.

    Bots, and all seats in logs before `SIGNED_VERSION`, must sign nothing and give number 0.
    """
    signer = _signer(room, seat)
    if signer is None:
        return not (number or signature)
    # Each number counts once, so that nothing that was said before can be said again.
    is_new = number > room.stated.get(signer.key, 0)
    return is_new and _verifies(signer.key, signature, statement)


def is_share_signed(
    room: RoomTable, seat: int, share: bytes, number: int, before: bytes, signature: bytes
) -> bool:
    """
    Return whether an opening of a share has the required signature and a possible number.

    Bots, and all seats in logs before `SIGNED_VERSION`, must sign nothing.
    """
    signer = _signer(room, seat)
    if signer is None:
        return not (number or before or signature)
    last, now = room.opened.get(signer.key, Opened()), start_id(room)
    if last.start == now:
        # In a practice game one key opens the shares of all seats, in one start.
        is_next = (number, before) == (last.number, last.before)
    elif number == last.number + 1:
        is_next = before == last.start
    else:
        is_next = number > last.number
    statement = share_statement(room, seat, share, number, before)
    return is_next and _verifies(signer.key, signature, statement)


def _signer(room: RoomTable, seat: int) -> Seat | None:
    """Return the seat if its owner has to sign; None for a bot, and in an older log."""
    owner = room.seats.get(seat)
    is_silent = room.version < SIGNED_VERSION or owner is None or owner.is_bot
    return None if is_silent else owner


def _verifies(key: bytes, signature: bytes, statement: bytes) -> bool:
    try:
        # Anybody can sign for a weak key.
        check_key(key)
    except (WeakKey, ValueError):
        return False
    return is_signed(key, statement, signature)
