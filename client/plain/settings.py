"""Parses the settings of a table that are typed in plain mode."""

from collections.abc import Collection

import attrs

from client.locale import Locale
from client.plain.choice import UnreadableCommand, is_number
from client.settings.table_settings import OF_SOME_GAMES, Value, effective, offered
from client.text.ascii_fold import folded_words
from protocol.common.table import (
    MAX_LEAST_SECONDS,
    MAX_WINDOW_SECONDS,
    LaidReady,
    Observer,
    Settings,
    know_game,
    table_class,
)
from protocol.errors import UnknownGame
from protocol.keys import parse_fingerprint
from protocol.messages import GameLine
from protocol.plain_text import composed

_MINUTE = 60
MOST_DIGITS = 5
"""The maximum number of digits of typed minutes."""

_SWITCHES: dict[str, tuple[str, Value]] = {
    "watch": ("spectators", True),
    "calendar": ("by_calendar", True),
    "noback": ("takebacks", False),
    "forget": ("secrets_go_along", False),
    "shut": ("publish", False),
    "strict": ("strict_windows", True),
    "hands": ("hands", True),
    "stops": ("stops", True),
    "usual": ("as_proposed", True),
    "brisk": ("bots_wait", False),
    "ready": ("laid_ready", LaidReady.ALWAYS),
    "nowatch": ("spectators", False),
    "nocalendar": ("by_calendar", False),
    "takebacks": ("takebacks", True),
    "noforget": ("secrets_go_along", True),
    "noshut": ("publish", True),
    "nostrict": ("strict_windows", False),
    "nohands": ("hands", False),
    "nostops": ("stops", False),
    "nousual": ("as_proposed", False),
    "nobrisk": ("bots_wait", True),
    "noready": ("laid_ready", LaidReady.NEVER),
}
"""Words that switch a setting, with the setting and its value. The later ones undo the earlier, in
games that usually have the other value."""

_NUMBERS = {
    "window": ("window_seconds", 1, MAX_WINDOW_SECONDS),
    "least": ("least_seconds", 0, MAX_LEAST_SECONDS),
}
"""Words that take a number of seconds, with the setting, its minimum and its maximum."""


def read_settings(words: list[str], locale: Locale, game: GameLine | None = None) -> Settings:
    """
    Parse settings: `watch later 5 limit 10 calendar noback forget shut stops window 20 usual`.

    With `brisk`, bots do not wait for readers. Words come in any order. Numbers are minutes, except
    that `window` and `least` are in seconds. `later` implies `watch`. `observer Rea FINGERPRINT 5`
    names an observer, who sees everything with a delay of 5 minutes; 0 means no delay, and some
    games have a usual one. Whatever is not typed is as usual in the game.

    Raises:
        UnreadableCommand: an unknown word, one for a setting that the game has not, or a number
            that is missing or too large.
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
            observers.append(_observer(left, game))
        elif word in _NUMBERS:
            name, fewest, most = _NUMBERS[word]
            if not left or not is_number(left[0]) or not fewest <= int(left[0][:9]) <= most:
                raise UnreadableCommand("plain.open_seconds", typed[:20], fewest, most)
            changes[name] = int(left.pop(0))
        elif word == "later":
            changes |= {"spectators": True, "spectators_delay_seconds": _minutes(left)}
        else:
            changes["time_limit_seconds"] = _minutes(left)
        if game is not None and not _has(game, changes):
            raise UnreadableCommand("plain.open_not_here", typed[:20])
    usual = Settings() if game is None else game.settings
    try:
        settings = attrs.evolve(usual, **changes)  # type: ignore[arg-type]  # as named above
        if changes.get("by_calendar") and not settings.time_limit_seconds:
            raise UnreadableCommand("plain.open_calendar", *_words(locale, "calendar", "limit"))
        return effective(attrs.evolve(settings, observers=tuple(observers)))
    except ValueError as error:
        raise UnreadableCommand("plain.open_too_long") from error


def _has(game: GameLine, names: Collection[str]) -> bool:
    return all(name in game.has for name in names if name in OF_SOME_GAMES)


def unusual_settings(locale: Locale, game: GameLine) -> list[tuple[str, str]]:
    """
    Return the settings that are usual in a game and not in others.

    Returns:
        What each says, and what is typed for the value that is usual in other games.
    """
    usual = game.settings
    changed_by: dict[str, list[tuple[str, Value, str]]] = {}
    for word, (name, value) in _SWITCHES.items():
        changed_by.setdefault(name, []).append((word, value, ""))
    for word, (name, _, _) in _NUMBERS.items():
        value = getattr(Settings(), name)
        changed_by.setdefault(name, []).append((word, value, f" {value}"))
    return [
        (setting.in_words(locale, usual), f"{locale.say(f'plain.set.{word}')}{number}")
        for setting in offered(usual, game.has)
        if setting.value(usual) != setting.value(Settings())
        for word, value, number in changed_by.get(setting.name, ())
        if value != setting.value(usual)
    ]


def setting_word(typed: str, locale: Locale) -> str | None:
    """Return the setting that is typed in English or the player's language; else None."""
    meant = (
        word
        for word in (*_SWITCHES, *_NUMBERS, "later", "limit", "observer")
        if folded_words(typed)
        in {folded_words(word), folded_words(locale.say(f"plain.set.{word}"))}
    )
    return next(meant, None)


def _words(locale: Locale, *names: str) -> tuple[str, ...]:
    return tuple(locale.say(f"plain.set.{name}") for name in names)


def _minutes(left: list[str]) -> int:
    """Remove a number of minutes from the remaining words; return the number in seconds."""
    return _number(left) * _MINUTE


def _observer(left: list[str], game: GameLine | None) -> Observer:
    """
    Remove a name, the fingerprint of a key and a delay from the remaining words.

    The delay may be left out in a game that has a usual one.
    """
    usual = usual_delay(game)
    if len(left) < (2 if usual else 3):
        raise UnreadableCommand("plain.open_observer")
    name, typed = left.pop(0), left.pop(0)
    delay = usual if usual and not (left and is_number(left[0])) else _minutes(left)
    try:
        return Observer(composed(name), parse_fingerprint(typed), delay)
    except ValueError as error:
        raise UnreadableCommand("plain.open_observer") from error


def usual_delay(game: GameLine | None) -> int:
    """Return the usual delay, in seconds, of an observer in a game; 0 for none."""
    if game is None:
        return 0
    try:
        know_game(game.ruleset)
    except UnknownGame:
        return 0
    return table_class(game.ruleset).observer_delay_seconds


def _number(left: list[str]) -> int:
    """Remove a number from the remaining words."""
    if not left or not left[0].isdecimal() or len(left[0]) > MOST_DIGITS:
        raise UnreadableCommand("plain.open_minutes")
    return int(left.pop(0))
