"""The checkpoints that a table can go back to."""

import attrs

from client.model.tables import TableView
from protocol.common.events import Settled
from protocol.common.table import GameTable


@attrs.frozen
class Checkpoint:
    """A checkpoint: a moment that the players can go back to."""

    sequence: int
    """Sequence of the record that closed the checkpoint; a proposal names the checkpoint by it."""
    game: GameTable
    is_now: bool
    """
    True if nothing was decided since: going back then changes only hidden orders, such as decks.
    """


def checkpoints(view: TableView, most: int) -> list[Checkpoint]:
    """
    Return the checkpoints of a table, the latest first and the present moment last.

    A checkpoint that the table went back to is listed once, as it was at first. The present moment
    is listed because a game that a fault has halted may need to go back to it.

    Args:
        view: the table.
        most: the maximum number of checkpoints.
    """
    kept = sorted(view.table.checkpoints.items())
    if not kept:
        return []
    latest, present = kept[-1]
    decided = any(isinstance(record.event, Settled) for record in view.records[latest + 1 :])
    found: list[Checkpoint] = []
    for sequence, game in kept:
        if all(game != one.game for one in found):
            found.append(Checkpoint(sequence, game, not decided and game == present))
    found.sort(key=lambda one: (one.is_now, -one.sequence))
    return found[:most]
