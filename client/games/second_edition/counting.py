"""Statistics of the second edition: dice, actions, harm, clues, and endings."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from client.plugs.counting import Chart, Count, Counting
from protocol.common.table import Table
from protocol.event import Event, Record
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Face, Harm, SecondEditionTable

_CHARTS: Final = (
    Chart("dice", "stats.dice"),
    Chart("actions", "stats.actions"),
    Chart("damage_taken", "stats.damage_taken"),
    Chart("damage_healed", "stats.damage_healed"),
    Chart("horror_taken", "stats.horror_taken"),
    Chart("horror_healed", "stats.horror_healed"),
    Chart("clues", "stats.clues"),
    Chart("endings", "stats.endings"),
)
_FACES: Final[Mapping[Face, tuple[str, float]]] = {
    Face.SUCCESS: ("stats.success", 3 / 8),
    Face.INVESTIGATION: ("stats.investigation", 2 / 8),
    Face.BLANK: ("stats.blank", 3 / 8),
}
"""Words of each face, and its share of the eight sides. Rule DICE-1."""


def _dice(faces: tuple[Face, ...]) -> Iterator[Count]:
    shown = Counter(faces)
    for face, (words, share) in _FACES.items():
        yield Count("dice", ("word", words), shown[face], share * len(faces))


def _shown(_: SecondEditionTable, happened: se.DiceShown) -> Iterator[Count]:
    # After a reroll only the rerolled dice count; the others were counted before.
    rolled = happened.rerolled or range(len(happened.faces))
    return _dice(tuple(happened.faces[at] for at in rolled))


def _opposed(_: SecondEditionTable, happened: se.OppositionRolled) -> Iterator[Count]:
    return _dice(happened.faces)


def _spent(_: SecondEditionTable, happened: se.ActionSpent) -> Iterator[Count]:
    yield Count("actions", ("word", f"action.{happened.action}"))


def _taken(_: SecondEditionTable, happened: se.HarmTaken) -> Iterator[Count]:
    chart = "damage_taken" if happened.harm is Harm.DAMAGE else "horror_taken"
    yield Count(chart, ("investigator", happened.investigator))


def _healed(_: SecondEditionTable, happened: se.HarmDiscarded) -> Iterator[Count]:
    chart = "damage_healed" if happened.harm is Harm.DAMAGE else "horror_healed"
    yield Count(chart, ("investigator", happened.investigator))


def _found(game: SecondEditionTable, happened: se.CluesGained) -> Iterator[Count]:
    yield Count("clues", ("round", str(game.round_number)), happened.count)


def _ended(_: SecondEditionTable, happened: se.GameEnded) -> Iterator[Count]:
    yield Count("endings", ("word", "stats.won" if happened.ending.is_won else "stats.lost"))


_COUNTS: Final[Mapping[type[Event], Callable[[SecondEditionTable, Any], Iterator[Count]]]] = {
    se.DiceShown: _shown,
    se.OppositionRolled: _opposed,
    se.ActionSpent: _spent,
    se.HarmTaken: _taken,
    se.HarmDiscarded: _healed,
    se.CluesGained: _found,
    se.GameEnded: _ended,
}


def _counts(table: Table, record: Record) -> Iterator[Count]:
    count, game = _COUNTS.get(type(record.event)), table.game
    if count is not None and isinstance(game, SecondEditionTable):
        yield from count(game, record.event)


COUNTING = Counting(_CHARTS, _counts)
