"""A search for finished games: the filter, and a page of results."""

import re
from datetime import date, datetime, time, timedelta

import attrs

from protocol import messages

_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_YEARS = range(2000, 3000)
"""Accepted years. Every platform can convert days of these years to timestamps."""


@attrs.frozen
class GamesWanted:
    """A filter of finished games. The default filter matches all games that the player may open."""

    scenario: str = ""
    """The scenario; empty for any scenario."""
    seats: int = 0
    """The number of seats; 0 for any number."""
    since: date | None = None
    """The earliest day on which a game ended, in this machine's time zone; None for any day."""
    until: date | None = None
    """The latest day on which a game ended; None for any day."""

    @property
    def has_days(self) -> bool:
        """Whether at least one day lies between `since` and `until`."""
        return self.since is None or self.until is None or self.since <= self.until

    def request(self, serial: int, after: messages.FoundGame | None) -> messages.FindGames:
        """
        Return the request for the results after the game `after`; None requests the first page.

        Days are converted to times by this machine's time zone.
        """
        before, room_id = (after.ended_at, after.room_id) if after is not None else (0, "")
        since = 0 if self.since is None else _begins(self.since)
        # The day of `until` belongs to the range, so that the range ends at the next midnight.
        until = 0 if self.until is None else _begins(self.until + timedelta(1))
        return messages.FindGames(serial, self.scenario, self.seats, since, until, before, room_id)


ALL_GAMES = GamesWanted()


@attrs.frozen
class FoundGames:
    """One page of finished games, with the filter that found them."""

    wanted: GamesWanted
    page: messages.GamesFound


def read_day(typed: str) -> date | None:
    """Return the day typed as `2026-10-31`; None if the text is not a day within `_YEARS`."""
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
