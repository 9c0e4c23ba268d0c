"""
Memory: numbers that a scenario remembers under names, sealed to everybody.

A change is kept in the running procedure and written to the log by `write_down`: before each
question, and at the end of each procedure and of the game. Each write is one record, whether or not
anything changed, so that neither an additional record nor a name on the log tells what happened out
of sight. Names are opaque all the same: the log of a finished game is opened to all, and a speaking
name would tell the script.

Logs of version 1 have a record for each change, with its name for all to read.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs

from protocol.common.table import GameEvent
from protocol.event import Sealed, hidden
from server.kernel.game import Game


class Remembering(Protocol):
    """Table of a game whose scenarios remember numbers."""

    @property
    def memory(self) -> tuple[Sealed[Mapping[str, int]], ...]:
        """Parts that were written down; later ones replace the names of earlier ones."""

    def remembered(self, name: str) -> int | None:
        """Return the number that was last written down under a name."""


@attrs.frozen
class Memory:
    """Memory of one game, by the events that write it down."""

    written: Callable[[bool, Sealed[Mapping[str, int]]], GameEvent]
    """Makes the event of a write: whether it is the whole memory, and its numbers."""
    changed: Callable[[str, Sealed[int]], GameEvent]
    """Makes the event of a single change, on logs of version 1."""
    parts: int
    """Number of parts on the table after which the next write is the whole memory."""

    def number(self, game: Game[Any, Any], name: str) -> int | None:
        """Return the number under a name, unwritten changes included."""
        if name in game.noted:
            return game.noted[name]
        table: Remembering = game.table
        return table.remembered(name)

    def remember(self, game: Game[Any, Any], name: str, to: int) -> None:
        """Remember a number under a name from now on."""
        if game.version == 1:
            game.emit(self.changed(name, hidden(to)))
        else:
            game.noted[name] = to

    def write_down(self, game: Game[Any, Any]) -> None:
        """Write the changes to the log. Call it at fixed points alone, or the record tells."""
        if game.version == 1:
            return
        # Only changes are written, until there are so many parts that one whole replaces them.
        table: Remembering = game.table
        is_whole = len(table.memory) >= self.parts
        numbers: dict[str, int] = {}
        for part in table.memory if is_whole else ():
            numbers.update(part.value)
        numbers.update(game.noted)
        game.noted.clear()
        game.emit(self.written(is_whole, hidden(dict(sorted(numbers.items())))))
