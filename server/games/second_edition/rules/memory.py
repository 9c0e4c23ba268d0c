"""
Memory: what the scenario remembers in numbers, sealed to everybody.

A change is noted in the procedure that runs and written down by `write_down`: before each question
and at the end of each procedure and of the game, as one record, whether or not anything changed. So
neither a record more nor a name on the log tells what happened out of sight, such as which counter
a secret answer moved. Names are opaque all the same, since a finished log is opened to all, and a
name could tell the script.

A log of version 1 has a record for each change, with its name for all to read; it goes on as it
began.
"""

from protocol.event import hidden
from protocol.games.second_edition.events import MEMORY_PARTS, CounterSet, MemoryKept
from server.games.second_edition.rules.play import Play


def number(play: Play, name: str) -> int | None:
    """Return what is remembered under a name, changes of this very moment included."""
    return play.noted[name] if name in play.noted else play.table.remembered(name)


def remember(play: Play, name: str, to: int) -> None:
    """Remember a number under a name from now on."""
    if play.version == 1:
        play.emit(CounterSet(name, hidden(to)))
    else:
        play.noted[name] = to


def write_down(play: Play) -> None:
    """Write what has changed on the log. Only where everybody sees that the rules have come."""
    if play.version == 1:
        return
    # Only what changed is written, until there are so many parts that one whole replaces them.
    parts = play.table.memory
    is_whole = len(parts) >= MEMORY_PARTS
    numbers: dict[str, int] = {}
    for part in parts if is_whole else ():
        numbers.update(part.value)
    numbers.update(play.noted)
    play.noted.clear()
    play.emit(MemoryKept(is_whole, hidden(dict(sorted(numbers.items())))))
