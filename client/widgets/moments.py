"""Times in words: the time of day for today and yesterday, the number of days before that."""

from datetime import UTC, datetime

from client.locale import Locale


def moment(locale: Locale, when: int, now: datetime) -> str:
    """
    Return a time in words.

    Args:
        locale: the words.
        when: milliseconds since 1970. A time in the future counts as now.
        now: the current time in the reader's zone.
    """
    then = _in_zone_of(now, min(when / 1000, now.timestamp()))
    days = (now.date() - then.date()).days
    if days > 1:
        return locale.say("moment.days", days)
    clock = locale.say("moment.time", str(then.hour), f"{then.minute:02}")
    return locale.say("moment.yesterday" if days else "moment.today", clock)


def day_of(when: int) -> str:
    """Return the local day of a time in milliseconds since 1970, in ISO form."""
    return datetime.fromtimestamp(when / 1000, tz=UTC).astimezone().date().isoformat()


def _in_zone_of(now: datetime, seconds: float) -> datetime:
    """Return a time in the zone of `now`; if that is this machine's zone, with summer time.

    `now` has only the current offset of its zone. The machine knows the offset at any time.
    """
    if now.utcoffset() == datetime.fromtimestamp(now.timestamp(), tz=UTC).astimezone().utcoffset():
        return datetime.fromtimestamp(seconds, tz=UTC).astimezone()
    return datetime.fromtimestamp(seconds, tz=now.tzinfo)
