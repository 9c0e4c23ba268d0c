"""A search for finished games: its filter, and a page of its results."""

import re
from datetime import date, datetime, time, timedelta

import attrs

from protocol import messages

_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_YEARS = range(2000, 3000)
"""Accepted years; every platform can convert their days to timestamps."""


@attrs.frozen
class GamesWanted:
    """A filter of finished games; without arguments, it finds all that the player may open."""

    scenario: str = ""
    """The scenario; empty for any."""
    seats: int = 0
    """Number of seats; 0 for any."""
    since: date | None = None
    """The earliest day on which a game ended, in this machine's time zone; None for any."""
    until: date | None = None
    """The latest day on which a game ended; None for any."""

    @property
    def has_days(self) -> bool:
        """Whether at least one day is between `since` and `until`."""
        return self.since is None or self.until is None or self.since <= self.until

    def asked(self, serial: int, after: messages.FoundGame | None) -> messages.FindGames:
        """
        Return the request for the results after a game; `None` asks for the first page.

        The request reveals this player's offset from UTC to the server if it limits the days.
        """
        before, room_id = (after.ended_at, after.room_id) if after is not None else (0, "")
        since = 0 if self.since is None else _begins(self.since)
        until = 0 if self.until is None else _begins(self.until + timedelta(1))
        return messages.FindGames(serial, self.scenario, self.seats, since, until, before, room_id)


ALL_GAMES = GamesWanted()
"""No filter."""


@attrs.frozen
class FoundGames:
    """One page of finished games, with the filter that found them."""

    wanted: GamesWanted
    page: messages.GamesFound


def read_day(typed: str) -> date | None:
    """Return the day typed as `2026-10-31`; None if it is not a day within `_YEARS`."""
    match = _DAY.fullmatch(typed.strip())
    if match is None or int(match[1]) not in _YEARS:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None


def _begins(day: date) -> int:
    """Return the start of a day in this machine's time zone, in milliseconds since 1970."""
    return int(datetime.combine(day, time()).astimezone().timestamp() * 1000)
