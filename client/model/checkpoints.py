"""The checkpoints to which a table can return."""

import attrs

from client.model.tables import TableView
from protocol.common.events import Settled
from protocol.common.table import GameTable

_MOST = 12
"""The maximum number of checkpoints on offer."""


@attrs.frozen
class Checkpoint:
    """A moment to which the players can return."""

    sequence: int
    """
    The sequence of the record that made the checkpoint. Proposals name the checkpoint by this
    number.
    """
    game: GameTable
    is_now: bool
    """
    True if nothing was decided after this checkpoint. Going back then changes hidden orders only.
    """


def checkpoints(view: TableView) -> list[Checkpoint]:
    """
    Return the checkpoints that a table offers: the latest first, the current moment last.

    Checkpoints with the same game count as one, with the lowest number: after a return to a
    checkpoint, the table has this game twice. The current moment is included because a game that
    was halted by a fault may have to return there.
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
    return found[:_MOST]
