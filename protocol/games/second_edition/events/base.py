"""Base class of the events, and changes of the table that several of them make."""

from collections.abc import Mapping
from typing import Any, TypeVar

from protocol.common.table import GameEvent
from protocol.games.second_edition.table import MonsterId, SecondEditionTable
from protocol.values import evolve

K = TypeVar("K")
V = TypeVar("V")
Game = SecondEditionTable
"""Short name of the table that these events fold."""


class SecondEditionEvent(GameEvent):
    """An event of this ruleset: folds a `SecondEditionTable`."""

    __slots__ = ()

    of = SecondEditionTable


def with_entry(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    """Return the mapping with one entry added or replaced."""
    return {**mapping, key: value}


def without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    """Return the mapping without a key. KeyError if the key is missing."""
    if key not in mapping:
        # Only a log that no rules wrote takes away what is not there.
        raise KeyError(key)
    return {k: v for k, v in mapping.items() if k != key}


def with_monster(table: Game, monster: MonsterId, **changes: Any) -> Game:
    """Return the table with fields of one monster changed."""
    changed = evolve(table.monsters[monster], **changes)
    return evolve(table, monsters=with_entry(table.monsters, monster, changed))


def hushed(table: Game) -> Game:
    """Return the table on which no monster's text is in force any more."""
    if all(monster.in_force is None for monster in table.monsters.values()):
        return table
    quiet = {key: evolve(m, in_force=None) for key, m in table.monsters.items()}
    return evolve(table, monsters=quiet)
