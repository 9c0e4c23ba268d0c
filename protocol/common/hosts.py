"""
The host of a table: who takes over before the game, and who may act as host during it.

Before the game, the longest-seated person who is present takes over from a host who is away: by the
server's clock after a minute, or at once if more than half of the people who are present vote for
it. During the game the host stays the same, and the steward may do what the host may.
"""

from collections.abc import Iterable
from typing import Final

from protocol.common.table import RoomTable, Seat, Stage

HOSTS_VERSION: Final = 3
"""First version of logs in which a host can be replaced."""
STEWARDS_VERSION: Final = 4
"""First version of logs in which no bot acts as host."""


def people_present(room: RoomTable) -> tuple[Seat, ...]:
    """Return the seats whose owners are present people."""
    return tuple(s for s in room.seats.values() if s.is_present and s.key and not s.is_bot)


def is_host_away(room: RoomTable) -> bool:
    """Return True if the host can be replaced: before the game, in their absence."""
    if room.stage is not Stage.LOBBY or room.version < HOSTS_VERSION:
        return False
    # Before anybody has a seat, `host` is 0 and nobody is away.
    return room.host in room.seats and room.host not in _numbers(people_present(room))


def successor(room: RoomTable) -> int | None:
    """Return the seat that takes over from the host; None if nobody else is present."""
    return _longest_seated(s for s in people_present(room) if s.seat != room.host)


def wins_vote(room: RoomTable, seat: int) -> bool:
    """Return True if this seat's vote for a new host completes a majority of people present."""
    present = _numbers(people_present(room))
    # Votes of people who have gone away meanwhile do not count.
    votes = {*room.host_votes, seat} & {*present}
    return seat in present and 2 * len(votes) > len(present)


def host_after_leaving(room: RoomTable) -> int:
    """
    Return the host of a room whose host has given up the seat.

    It is the longest-seated person present, else the longest-seated person: a bot starts no game.
    """
    people = [s for s in room.seats.values() if s.key and not s.is_bot]
    found = _longest_seated(people_present(room))
    if found is None:
        found = _longest_seated(people)
    return min(room.seats) if found is None else found


def host_in_person(room: RoomTable) -> int:
    """
    Return the host, or the lowest seat of a person if the host's seat has no person.

    If no seat has a person, it is the host.
    """
    people = [s.seat for s in room.seats.values() if s.key and not s.is_bot]
    return room.host if room.host in people else min(people, default=room.host)


def steward(room: RoomTable) -> int:
    """
    Return the seat that acts as host during a game.

    The steward is the host while the host is present and no bot, else the lowest present seat of a
    person. If no person is present, it is the host, or in place of a bot the lowest seat of a
    person.
    """
    host, is_bots = room.seats.get(room.host), _has_bot_as_host(room)
    if host is not None and host.is_present and not is_bots:
        return room.host
    # Deterministic, so clients and audits name the same seat.
    present = (s.seat for s in room.seats.values() if s.is_present and not s.is_bot)
    return min(present, default=host_in_person(room) if is_bots else room.host)


def acts_as_host(room: RoomTable, seat: int | None) -> bool:
    """Return True if a seat may do what is the host's: the host and, once a game runs, the steward.

    From version 4 of logs on, a bot may not.
    """
    if room.stage in {Stage.LOBBY, Stage.STARTING}:
        return seat == room.host
    return seat == steward(room) or (seat == room.host and not _has_bot_as_host(room))


def _has_bot_as_host(room: RoomTable) -> bool:
    """Return True if a bot has the host's seat. False in older logs, in which that is no matter."""
    host = room.seats.get(room.host)
    return room.version >= STEWARDS_VERSION and host is not None and host.is_bot


def _numbers(seats: Iterable[Seat]) -> tuple[int, ...]:
    return tuple(seat.seat for seat in seats)


def _longest_seated(seats: Iterable[Seat]) -> int | None:
    return min(((s.since, s.seat) for s in seats), default=(0, None))[1]
