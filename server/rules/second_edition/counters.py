"""
Counters: the scenario's own memory, sealed to everybody.

On the log they go by their position in the scenario, since a name could tell what is counted.
"""

from protocol.event import hidden
from protocol.second_edition.events import CounterSet
from server.rules.second_edition.play import Play


def opaque_name(play: Play, counter: str) -> str:
    """Return what a counter is called on the log, such as `c1`."""
    return f"c{play.content.scenario.counters.index(counter) + 1}"


def value(play: Play, counter: str) -> int:
    """Return what a counter stands at; 0 before it was ever set."""
    sealed = play.table.counters.get(opaque_name(play, counter))
    return 0 if sealed is None else sealed.value


def change(play: Play, counter: str, *, add: int, to: int | None = None) -> None:
    """Set a counter, if a value is given, then add to it."""
    start = value(play, counter) if to is None else to
    play.emit(CounterSet(opaque_name(play, counter), hidden(start + add)))
