"""Statuses of the table that a client follows."""

import attrs

from client.model.tables import TableView


@attrs.frozen
class NoTable:
    """The status away from tables: in the lobby, or in a replay."""


@attrs.frozen
class FollowedTable:
    """The status at a table, as a player or a spectator."""

    view: TableView = attrs.field(repr=False)
    next_sequence: int = 0
    """
    The number of records that existed when the client entered the table; the client fetches these.
    """
    is_stopped: bool = False
    """True while the server cannot store or read this table."""
    is_halted: bool = False
    """True if the rules cannot continue the game, according to the server."""
    fault: str = ""
    """The error code of the record that broke the table; empty if the table is sound."""
    reported: int | None = None
    """The last record that the client reported as read by the player; None while no program waits
    for the player."""
    read_so_far: int | None = None
    """For a bot: the last record that every reporting player has read; -1 if no player reports;
    None until the server has sent the number."""


TableStatus = NoTable | FollowedTable
