"""Which finished games a player looks for, and those that were found."""

import re
from datetime import date, datetime, time, timedelta

import attrs

from protocol import messages

_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_YEARS = range(2000, 3000)
"""The years of days that are read; every machine can tell when these begin and end."""


@attrs.frozen
class GamesWanted:
    """Which finished games are looked for; all that may be opened, unless something is said."""

    scenario: str = ""
    """Which they played; empty for any."""
    seats: int = 0
    """How many they had; 0 for any number."""
    since: date | None = None
    """The first day on which they may have ended, where this machine is."""
    until: date | None = None
    """The last such day."""

    @property
    def has_days(self) -> bool:
        """Whether there is any day on which such a game can have ended."""
        return self.since is None or self.until is None or self.since <= self.until

    def asked(self, serial: int, after: messages.FoundGame | None) -> messages.FindGames:
        """
        Return what is asked of the server, for the page after a game; None for the first.

        A day tells the server when it begins for this player: how far their clock is from UTC.
        """
        before, room_id = (after.ended_at, after.room_id) if after is not None else (0, "")
        since = 0 if self.since is None else _begins(self.since)
        until = 0 if self.until is None else _begins(self.until + timedelta(1))
        return messages.FindGames(serial, self.scenario, self.seats, since, until, before, room_id)


ALL_GAMES = GamesWanted()
"""All that the player may open."""


@attrs.frozen
class FoundGames:
    """Finished games that may be opened, and what was looked for."""

    wanted: GamesWanted
    page: messages.GamesFound


def read_day(typed: str) -> date | None:
    """Return the day that is typed as `2026-10-31`; None where it is none of `_YEARS`."""
    match = _DAY.fullmatch(typed.strip())
    if match is None or int(match[1]) not in _YEARS:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None


def _begins(day: date) -> int:
    """Return when a day begins where this machine is, in milliseconds since 1970."""
    return int(datetime.combine(day, time()).astimezone().timestamp() * 1000)
