"""Statistics of the second edition: dice, actions, harm, clues, and endings."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from client.plugs.counting import Chart, Count, Counting
from protocol.common.table import Table
from protocol.event import Record
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
"""The words of each face, and its share of the eight sides. Rule DICE-1."""


def _dice(faces: tuple[Face, ...]) -> Iterator[Count]:
    shown = Counter(faces)
    for face, (words, share) in _FACES.items():
        yield Count("dice", ("word", words), shown[face], share * len(faces))


def counts(table: Table, record: Record) -> Iterator[Count]:
    """Yield the amounts that one record adds to the statistics."""
    game = table.game
    if not isinstance(game, SecondEditionTable):
        return
    match record.event:
        case se.DiceShown() as dice:
            # After a reroll only the rerolled dice count; the others were counted before.
            rolled = dice.rerolled or range(len(dice.faces))
            yield from _dice(tuple(dice.faces[at] for at in rolled))
        case se.OppositionRolled() as opposed:
            yield from _dice(opposed.faces)
        case se.ActionSpent() as spent:
            yield Count("actions", ("word", f"action.{spent.action}"))
        case se.HarmTaken() as taken:
            chart = "damage_taken" if taken.harm is Harm.DAMAGE else "horror_taken"
            yield Count(chart, ("investigator", taken.investigator))
        case se.HarmDiscarded() as healed:
            chart = "damage_healed" if healed.harm is Harm.DAMAGE else "horror_healed"
            yield Count(chart, ("investigator", healed.investigator))
        case se.CluesGained() as clues:
            yield Count("clues", ("round", str(game.round_number)), clues.count)
        case se.GameEnded() as ended:
            # Each investigator's own result, which can differ from the common one (WIN-6).
            for result in ended.ending.results:
                words = "stats.won" if result.has_won else "stats.lost"
                yield Count("endings", ("word", words))
        case _:
            pass


COUNTING = Counting(_CHARTS, counts)
