"""
Memory: numbers that a scenario stores under names, sealed to everybody.

The running procedure buffers changes, and `write_down` writes them to the log: before each question
except one that precedes all events of the procedure, and at the end of each procedure and of the
game. Each write is one record, whether or not anything changed, so that neither an additional
record nor a name on the log reveals a secret event. Names are opaque all the same: the log of a
finished game is opened to all, and a meaningful name would reveal the script.

Logs of version 1 have a record for each change, with a public name.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs

from protocol.common.table import GameEvent
from protocol.event import Sealed, hidden
from server.kernel.game import Game


class Remembering(Protocol):
    """Table of a game whose scenarios store numbers."""

    @property
    def memory(self) -> tuple[Sealed[Mapping[str, int]], ...]:
        """Parts that were written down; later parts override earlier ones, name by name."""

    def remembered(self, name: str) -> int | None:
        """Return the number last written down under a name; None if there is none."""


@attrs.frozen
class Memory:
    """The memory of one game's scenarios, which is written to the log as events of that game."""

    written: Callable[[bool, Sealed[Mapping[str, int]]], GameEvent]
    """Makes the event of a write: True if it has the whole memory, and its numbers."""
    changed: Callable[[str, Sealed[int]], GameEvent]
    """Makes the event of a single change, on logs of version 1."""
    parts: int
    """Number of parts on the table after which the next write has the whole memory."""

    def number(self, game: Game[Any, Any], name: str) -> int | None:
        """Return the number under a name, including unwritten changes; None if there is none."""
        if name in game.noted:
            return game.noted[name]
        table: Remembering = game.table
        return table.remembered(name)

    def remember(self, game: Game[Any, Any], name: str, to: int) -> None:
        """
        Set the number under a name.

        `write_down` writes it to the log later; in a game of version 1 it is written at once.
        """
        if game.version == 1:
            game.emit(self.changed(name, hidden(to)))
        else:
            game.noted[name] = to

    def write_down(self, game: Game[Any, Any]) -> None:
        """
        Write the changes since the last call to the log, as one record even if there are none.

        Call this method only at fixed points, since the time of a record could reveal a secret.
        Logs of version 1 need no such record.
        """
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
