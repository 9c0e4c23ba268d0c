"""Parses the settings of a table that are typed in plain mode."""

import attrs

from client.locale import Locale
from client.plain.choice import UnreadableCommand
from client.settings.table_settings import Value
from client.text.ascii_fold import folded_words
from protocol.common.table import Observer, Settings
from protocol.keys import parse_fingerprint
from protocol.plain_text import composed

_MINUTE = 60
MOST_DIGITS = 5
"""The maximum number of digits of typed minutes."""

_SWITCHES = {
    "watch": ("spectators", True),
    "calendar": ("by_calendar", True),
    "noback": ("takebacks", False),
    "forget": ("secrets_go_along", False),
    "shut": ("publish", False),
    "stops": ("stops", True),
    "usual": ("as_proposed", True),
    "brisk": ("bots_wait", False),
}
"""Words that switch a setting, with the setting and its value."""


def read_settings(words: list[str], locale: Locale) -> Settings:
    """
    Parse settings: `watch later 5 limit 10 calendar noback forget shut stops window 20 usual`.

    With `brisk`, bots do not wait for readers. Words come in any order. Numbers are minutes, except
    that `window` is in seconds. `later` implies `watch`. `observer Rea FINGERPRINT 5` names an
    observer, who sees everything with a delay of 5 minutes; 0 means no delay.

    Raises:
        UnreadableCommand: an unknown word, or a number that is missing or too large.
    """
    changes: dict[str, Value] = {}
    observers: list[Observer] = []
    left = list(words)
    while left:
        typed = left.pop(0)
        word = setting_word(typed, locale)
        if word is None:
            raise UnreadableCommand("plain.open_unknown", typed[:20])
        if word in _SWITCHES:
            name, value = _SWITCHES[word]
            changes[name] = value
        elif word == "observer":
            observers.append(_observer(left))
        elif word == "window":
            changes["window_seconds"] = _number(left)
        elif word == "later":
            changes |= {"spectators": True, "spectators_delay_seconds": _minutes(left)}
        else:
            changes["time_limit_seconds"] = _minutes(left)
    try:
        settings = Settings(**changes)  # type: ignore[arg-type]  # as its fields are named above
        if settings.by_calendar and not settings.time_limit_seconds:
            raise UnreadableCommand("plain.open_calendar", *_words(locale, "calendar", "limit"))
        return attrs.evolve(settings, observers=tuple(observers))
    except ValueError as error:
        raise UnreadableCommand("plain.open_too_long") from error


def setting_word(typed: str, locale: Locale) -> str | None:
    """Return the setting that is typed in English or the player's language; else None."""
    meant = (
        word
        for word in (*_SWITCHES, "later", "limit", "window", "observer")
        if folded_words(typed)
        in {folded_words(word), folded_words(locale.say(f"plain.set.{word}"))}
    )
    return next(meant, None)


def _words(locale: Locale, *names: str) -> tuple[str, ...]:
    return tuple(locale.say(f"plain.set.{name}") for name in names)


def _minutes(left: list[str]) -> int:
    """Remove a number of minutes from the remaining words; return the number in seconds."""
    return _number(left) * _MINUTE


def _observer(left: list[str]) -> Observer:
    """Remove a name, the fingerprint of a key and a delay from the remaining words."""
    if len(left) < 3:
        raise UnreadableCommand("plain.open_observer")
    name, typed = left.pop(0), left.pop(0)
    try:
        return Observer(composed(name), parse_fingerprint(typed), _minutes(left))
    except ValueError as error:
        raise UnreadableCommand("plain.open_observer") from error


def _number(left: list[str]) -> int:
    """Remove a number from the remaining words."""
    if not left or not left[0].isdecimal() or len(left[0]) > MOST_DIGITS:
        raise UnreadableCommand("plain.open_minutes")
    return int(left.pop(0))
