"""Observers: people who see all secrets of a game, and therefore never have a seat in it."""

from protocol.common.table import Observer, Settings
from protocol.keys import fingerprint

MAX_DELAY_SECONDS = 86400
"""The longest delay that settings allow, in seconds."""


def observer_of(settings: Settings, key: bytes) -> Observer | None:
    """Return the observer with a public key; None if there is none."""
    if not settings.observers:
        return None
    mine = fingerprint(key)
    return next((one for one in settings.observers if one.fingerprint == mine), None)


def longest_delay(settings: Settings) -> int:
    """Return the longest delay of spectators and observers, in seconds."""
    delays = (observer.delay_seconds for observer in settings.observers)
    return max(settings.spectators_delay_seconds, *delays, 0)


def seconds_behind(settings: Settings, key: bytes) -> int:
    """Return the delay in seconds with which a person without a seat sees records."""
    observer = observer_of(settings, key)
    return settings.spectators_delay_seconds if observer is None else observer.delay_seconds
