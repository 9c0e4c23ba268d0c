"""Observers: to whom the secrets of a game are open, and who so can never have a seat in it."""

from protocol.common.table import Observer, Settings
from protocol.keys import fingerprint


def observer_of(settings: Settings, key: bytes) -> Observer | None:
    """Return the observer that has a public key; None if it is nobody's."""
    if not settings.observers:
        return None
    mine = fingerprint(key)
    return next((one for one in settings.observers if one.fingerprint == mine), None)


def seconds_behind(settings: Settings, key: bytes) -> int:
    """Return how much later than the seats somebody without one sees each record."""
    observer = observer_of(settings, key)
    return settings.spectators_delay_seconds if observer is None else observer.delay_seconds
