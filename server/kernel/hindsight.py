"""
Looks back on a finished game: has its rules say what nobody could know while it was played.

A game whose package of the server has a module `hindsight` can be looked back on. The module has a
function `look_back`, which gets the whole log with all secrets open. What it finds is computed anew
from the log each time; it is never written to a log, and never sent while a game runs.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from protocol.archive import Archive
from protocol.common.events import Player, players_of
from protocol.common.hindsight import Hindsight
from protocol.common.table import Stage, Table, fold
from protocol.event import Record
from protocol.plugs import has_plug, plug
from protocol.values import frozen
from server.kernel.game import Game, Library

PART = "hindsight"
"""Name of the module."""


class NotOver(Exception):
    """The file is not the whole log of a game that is over."""


@frozen
class Step:
    """One record of a finished game, with the tables around it."""

    before: Table
    record: Record
    after: Table


class LookBack(Protocol):
    """The function `look_back` of a game's module `hindsight`."""

    def __call__(
        self, content: Any, players: tuple[Player, ...], steps: Sequence[Step]
    ) -> Iterable[Hindsight]:
        """
        Return what is known afterwards, in any order.

        Args:
            content: the content of the game.
            players: the players who started it.
            steps: all records, in order, with all secrets open.
        """


def has_hindsight(ruleset: str) -> bool:
    """Return whether games of a ruleset can be looked back on."""
    return has_plug("server", ruleset, PART)


def look_back(archive: Archive, library: Library) -> tuple[Hindsight, ...]:
    """
    Return what is known of a finished game afterwards, by the records after which it holds.

    Args:
        archive: a file that was audited.
        library: knows the content of the game.

    Raises:
        NotOver: the file is not the whole log of a game that is over.
        ContentNeeded: raised by the library if it does not have the content.
    """
    steps: list[Step] = []
    table = Table()
    for record in archive.records:
        after = fold(table, record)
        steps.append(Step(table, record, after))
        table = after
    if not archive.header.is_whole or table.room.stage is not Stage.OVER:
        raise NotOver
    if not has_hindsight(table.room.ruleset):
        return ()
    function: LookBack = plug("server", table.room.ruleset, PART).look_back
    found = function(library.content(table.room), players_of(table.room), steps)
    # Stable: what holds after one record stays in the order in which it was found.
    return tuple(sorted(found, key=lambda one: one.sequence))


class _Still:
    """Sink of a game that has been played: the table can be read, everything else raises."""

    def __init__(self, table: Table) -> None:
        self.table = table


def at_rest(table: Table, content: Any, players: tuple[Player, ...]) -> Game[Any, Any]:
    """Return a handle by which rules can read the table of a finished game at one moment."""
    sink: Any = _Still(table)
    return Game(sink, content, players)
