"""Branches of whole games, started as the server starts them and then played on."""

import hashlib

from protocol.commitments import head_of
from protocol.common import events
from protocol.common.table import Branch
from protocol.event import Event, Stored, read_own
from protocol.keys import SigningKey
from server.authoring.seat_keys import bound, signed
from server.kernel.game import Library
from server.kernel.repeating import Repeater
from server.kernel.rest_point import CHECKPOINTS
from server.kernel.room import Room
from tests.kit.tables.playing import SeededEntropy
from tests.kit.tables.resuming import resume

BRANCH_ID = "branch"
PLAYER = SigningKey.from_seed(b"P" * 32)


def checkpoints_of(source: Room) -> list[int]:
    """Return the sequences at which a branch of a game may begin."""
    records = (read_own(source.room_id, stored) for stored in source.log)
    return [record.sequence for record in records if isinstance(record.event, CHECKPOINTS)]


def log_of_branch(
    source: Room, last: int, seed: int = 1, setup: events.SourceSetup | None = None
) -> list[Stored]:
    """Return the log of a branch up to the request for shares of chance."""
    log = list(source.log)[: last + 1]
    head = head_of(source.room_id, [stored.public for stored in log])
    repeater = Repeater(BRANCH_ID, Branch(source.room_id, head, last), SeededEntropy(seed))
    repeated = [repeater.repeat(stored) for stored in log]
    return [*repeated, *repeater.end(0, PLAYER.public, setup, time=source.last_time)]


def share_of(seat: int) -> bytes:
    """Return a seat's share of the chance of a branch."""
    return hashlib.sha256(b"branch %d" % seat).digest()


def begin_branch(source: Room, last: int, library: Library, seed: int = 1) -> Room:
    """Return a branch whose start is complete: all shares are open."""
    log = log_of_branch(source, last, seed)
    room = resume(BRANCH_ID, log, library, SeededEntropy(seed, position=1_000_000))
    for seat in room.table.room.seats:
        give(room, bound(room.table.room, seat, share_of(seat)), seat)
    for seat in room.table.room.seats:
        give(room, events.ShareOpened(seat, share_of(seat)), seat)
    return room


def give(room: Room, happened: Event, seat: int) -> None:
    """Give a branch an input of its start, signed by its player, and commit it."""
    happened = signed(room.table.room, happened, {PLAYER.public: PLAYER})
    room.receive(happened, time=room.last_time + 1, origin=seat)
    room.commit()


def events_of(room: Room) -> list[Event]:
    """Return the events of a room."""
    return [read_own(room.room_id, stored).event for stored in room.log]
