"""
Figures: names that a scenario gives to monsters, and the kinds of monsters that have appeared.

The memory is sealed and uses numbers in place of names, which would reveal the script. Rules
MONSTER-8 and SECRET-13.
"""

from protocol.games.second_edition.table import MonsterId
from server.games.second_edition.rules import memory
from server.games.second_edition.rules.play import Play


def remember(play: Play, name: str, monster: MonsterId) -> None:
    """Give a monster on the board one of the names that the scenario has for monsters."""
    memory.remember(play, _name(play, name), _number(monster))


def find(play: Play, name: str) -> MonsterId | None:
    """Return the monster on the board with a name; None if there is none."""
    kept = memory.number(play, _name(play, name))
    if kept is None:
        return None
    return next((m for m in play.table.monsters if _number(m) == kept), None)


def name_of(play: Play, monster: MonsterId) -> str | None:
    """Return the scenario's name for a monster; None if it has none."""
    names = play.content.scenario.monsters
    return next((name for name in names if find(play, name) == monster), None)


def _name(play: Play, name: str) -> str:
    return f"n{play.content.scenario.monsters.index(name) + 1}"


def _number(monster: MonsterId) -> int:
    return int(monster.removeprefix("m"))


def has_come(play: Play, kind: str) -> bool:
    """Return True if a monster of a kind has been in this game."""
    return memory.number(play, _name_of_kind(play, kind)) is not None


def note(play: Play, kind: str) -> None:
    """Note that a monster of this kind has appeared."""
    if not has_come(play, kind):
        memory.remember(play, _name_of_kind(play, kind), 1)


def _name_of_kind(play: Play, kind: str) -> str:
    return f"k{list(play.content.pack.monsters).index(kind) + 1}"
