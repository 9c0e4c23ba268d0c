"""Times in words: today or yesterday with the hour, else in days."""

from datetime import datetime

from client.locale import Locale


def moment(locale: Locale, when: int, now: datetime) -> str:
    """
    Return a time in words.

    Args:
        locale: whose words.
        when: milliseconds since 1970; a time in the future counts as now.
        now: in the reader's zone.
    """
    then = datetime.fromtimestamp(min(when / 1000, now.timestamp()), tz=now.tzinfo)
    days = (now.date() - then.date()).days
    if days > 1:
        return locale.say("moment.days", days)
    clock = locale.say("moment.time", str(then.hour), f"{then.minute:02}")
    return locale.say("moment.yesterday" if days else "moment.today", clock)
