"""
The host of a table before its game, and who takes over from a host who is away.

The longest-seated person who is present takes over: by the server's clock after a minute, or at
once if more than half of the people who are present vote for it.
"""

from collections.abc import Iterable
from typing import Final

from protocol.common.table import RoomTable, Seat, Stage

HOSTS_VERSION: Final = 3
"""First version of logs in which a host can be replaced."""


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


def _numbers(seats: Iterable[Seat]) -> tuple[int, ...]:
    return tuple(seat.seat for seat in seats)


def _longest_seated(seats: Iterable[Seat]) -> int | None:
    return min(((s.since, s.seat) for s in seats), default=(0, None))[1]
