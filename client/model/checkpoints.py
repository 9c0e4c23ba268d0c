"""The moments that a table can go back to."""

import attrs

from client.model.tables import TableView
from protocol.common.events import Settled
from protocol.common.table import GameTable


@attrs.frozen
class Checkpoint:
    """A moment to go back to."""

    sequence: int
    """Sequence of the record that closed it; identifies it in a proposal."""
    game: GameTable
    is_now: bool
    """True if nothing was decided since: going back changes nothing but hidden orders."""


def checkpoints(view: TableView, most: int) -> list[Checkpoint]:
    """
    Return the moments to go back to, latest first and the present one last.

    A moment that the table went back to is listed once, as it was at first. The present one is
    listed because a game that was halted by a fault may need it.

    Args:
        view: of the table.
        most: maximum number of moments.
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
