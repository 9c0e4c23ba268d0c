"""Statuses of the table that a client follows."""

import attrs

from client.model.tables import TableView


@attrs.frozen
class NoTable:
    """At no table: in the lobby, or in a replay."""


@attrs.frozen
class FollowedTable:
    """At a table, as a player or a spectator."""

    view: TableView = attrs.field(repr=False)
    next_sequence: int = 0
    """Records before this sequence existed when the table was entered, and are being caught up."""
    is_stopped: bool = False
    """True while the server cannot store anything for this table."""
    fault: str = ""
    """Error code of a record that broke the table, which takes no more records; else empty."""


TableStatus = NoTable | FollowedTable
