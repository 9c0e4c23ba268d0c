"""Base class of the events, and changes of the table that several of them make."""

from collections.abc import Mapping
from typing import TypeVar

from protocol.common.table import GameEvent
from protocol.games.first_edition.table import FirstEditionTable, Item, Monster
from protocol.values import evolve

K = TypeVar("K")
V = TypeVar("V")
Game = FirstEditionTable
"""Short name of the table that these events fold."""


class FirstEditionEvent(GameEvent):
    """An event of this ruleset: folds a `FirstEditionTable`."""

    __slots__ = ()

    of = FirstEditionTable


def without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    """Return the mapping without a key. KeyError if the key is missing."""
    if key not in mapping:
        # Only a log that no rules wrote takes away what is not there.
        raise KeyError(key)
    return {k: v for k, v in mapping.items() if k != key}


def without_waiting(table: Game, seat: int) -> Game:
    """Return the table after the turn in which a seat chose a new investigator, or found none."""
    of_seat = [at for at, one in enumerate(table.waiting) if one.seat == seat]
    at = min(of_seat, key=lambda at: table.waiting[at].has_acted)
    return evolve(table, waiting=(*table.waiting[:at], *table.waiting[at + 1 :]))


def taken_from(table: Game, who: str, piece: str) -> tuple[Game, Item]:
    """Return the table without an item of a character, and the item."""
    items = table.character(who).items
    item = next(one for one in items if one.piece == piece)
    left = tuple(one for one in items if one != item)
    return table.with_character(who, items=left), item


def without_monster(table: Game, monster: str) -> tuple[Game, Monster]:
    """Return the table without a monster, and the monster."""
    gone = table.monsters[monster]
    return evolve(table, monsters=without(table.monsters, monster)), gone
