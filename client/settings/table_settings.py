"""
The settings that a player chooses when opening a table, with their words.

The catalogs have the words of each setting under `table.<name>`: the words of its values, and
`about`, an explanation. Rule APP-13.
"""

from collections.abc import Collection, Iterator
from typing import Any

import attrs

from client.locale import Locale
from protocol.common.observers import seconds_behind
from protocol.common.table import LaidReady, Observer, Settings, table_class

Value = bool | int | LaidReady
_UNITS = (("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))


@attrs.frozen
class TableSetting:
    """A field of `Settings`, with the values that the host can choose for it."""

    name: str
    """The name of the field in `Settings`."""
    values: tuple[Value, ...]
    """The offered values, in order. A table opened by another client may have other values."""

    def value(self, settings: Settings) -> Value:
        value: Value = getattr(settings, self.name)
        return value

    def in_words(self, locale: Locale, settings: Settings) -> str:
        """Return the current value in words."""
        value = self.value(settings)
        if isinstance(value, bool):
            return locale.say(f"table.{self.name}.{'on' if value else 'off'}")
        if isinstance(value, LaidReady):
            return locale.say(f"table.{self.name}.{value.value}")
        if not value:
            return locale.say(f"table.{self.name}.none")
        return locale.say(f"table.{self.name}.some", lasting(locale, value))

    def about(self, locale: Locale) -> str:
        return locale.say(f"table.{self.name}.about")

    def turned(self, settings: Settings, by: int) -> Settings:
        """Return the settings with this setting changed to its next or previous offered value.

        Settings that have no effect any more are reset.
        """
        value = self.value(settings)
        at = self.values.index(value) if value in self.values else 0
        change: dict[str, Any] = {self.name: self.values[(at + by) % len(self.values)]}
        return attrs.evolve(settings, **change)


TAKEBACKS = TableSetting("takebacks", (True, False))
SPECTATORS = TableSetting("spectators", (False, True))
DELAY = TableSetting("spectators_delay_seconds", (0, 60, 300, 900))
LIMIT = TableSetting("time_limit_seconds", (0, 60, 300, 3600, 86400))
CALENDAR = TableSetting("by_calendar", (False, True))
SECRETS = TableSetting("secrets_go_along", (True, False))
PUBLISH = TableSetting("publish", (True, False))
STRICT = TableSetting("strict_windows", (False, True))
HANDS = TableSetting("hands", (False, True))
STOPS = TableSetting("stops", (False, True))
WINDOW = TableSetting("window_seconds", (10, 15, 20, 30, 5))
LEAST = TableSetting("least_seconds", (4, 6, 8, 10, 15, 20, 30, 0, 2))
READY = TableSetting("laid_ready", (LaidReady.BY_CALENDAR, LaidReady.ALWAYS, LaidReady.NEVER))
PROPOSALS = TableSetting("as_proposed", (False, True))
BOTS = TableSetting("bots_wait", (True, False))
OF_SOME_GAMES = frozenset(
    one.name for one in (TAKEBACKS, STRICT, HANDS, STOPS, WINDOW, LEAST, READY, PROPOSALS)
)
"""Names of the settings that not every game has."""


def offered(settings: Settings, has: Collection[str] = ()) -> tuple[TableSetting, ...]:
    """
    Return the settings that make sense, in the order of display.

    Args:
        settings: the choices so far.
        has: the settings that the game has, of those that not every game has; unknown names have
            no effect.
    """
    delay = (DELAY,) if settings.spectators else ()
    limit = (LIMIT, CALENDAR) if settings.time_limit_seconds else (LIMIT,)
    known = (
        *(TAKEBACKS, SPECTATORS, *delay, *limit, STRICT, HANDS, STOPS, WINDOW, LEAST, READY),
        *(SECRETS, PUBLISH, PROPOSALS, BOTS),
    )
    # Where a window asks only who can act, nothing in it is timed.
    is_untimed = STRICT.name in has and not settings.strict_windows
    without = (STOPS, WINDOW) if is_untimed else ()
    return tuple(
        one
        for one in known
        if one not in without and (one.name in has or one.name not in OF_SOME_GAMES)
    )


def effective(settings: Settings) -> Settings:
    """
    Return the settings with which a table is opened; settings without effect have their default.

    While the player chooses, the screen keeps all settings, so that nothing is lost by switching.
    """
    if not settings.spectators:
        settings = attrs.evolve(settings, spectators_delay_seconds=0)
    return settings if settings.time_limit_seconds else attrs.evolve(settings, by_calendar=False)


def lines(locale: Locale, settings: Settings, ruleset: str) -> Iterator[str]:
    """Yield a line for each setting that has an effect at a table, and for each observer."""
    for setting in offered(settings, table_class(ruleset).has_settings):
        is_said = setting is SPECTATORS and settings.spectators_delay_seconds
        if not is_said and (setting is not DELAY or settings.spectators_delay_seconds):
            yield setting.in_words(locale, settings)
    for observer in settings.observers:
        yield observed(locale, observer)


def observed(locale: Locale, observer: Observer) -> str:
    """Return a sentence that names an observer, who sees all secrets, and the observer's delay."""
    if not observer.delay_seconds:
        return locale.say("table.observed", observer.name)
    return locale.say(
        "table.observed_later", observer.name, lasting(locale, observer.delay_seconds)
    )


def looking_on(locale: Locale, settings: Settings, key: bytes) -> str:
    """Return a sentence that says that the viewer spectates, with the delay."""
    later = seconds_behind(settings, key)
    if not later:
        return locale.say("waiting_room.look_on")
    return locale.say("waiting_room.look_on_later", lasting(locale, later))


def lasting(locale: Locale, seconds: int) -> str:
    """Return a duration in words, in the largest unit that divides it."""
    unit, size = next(unit for unit in _UNITS if seconds % unit[1] == 0)
    return locale.say(f"lasting.{unit}", seconds // size)
