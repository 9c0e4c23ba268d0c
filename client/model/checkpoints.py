"""Checkpoints: the moments that a table can go back to, as they are offered."""

import attrs

from client.model.tables import TableView
from protocol.common.events import Settled
from protocol.common.table import GameTable


@attrs.frozen
class Checkpoint:
    """One moment to go back to."""

    sequence: int
    """The sequence of the record that closed it, which names it in a proposal."""
    game: GameTable
    is_now: bool
    """Whether nothing was decided since: going there changes nothing but hidden orders."""


def checkpoints(view: TableView, most: int) -> list[Checkpoint]:
    """
    Return the moments to go back to, the latest first and the present one last.

    A moment that the table came back to is offered once, as what it was at first. The present one
    is there because a game that a fault has halted may need it.

    Args:
        view: the table.
        most: how many are returned at most.
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
