"""
A player's part in the ceremony that starts a game; the client plays it by itself.

It commits to a share of chance once the server has committed to its seeds, and opens the share
once all seats have committed to theirs.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator

import attrs

from client.keyring.shares import KeptShare, digest_of_start, spent
from client.model.tables import TableStep, TableView
from protocol.common.events import StartFailed
from protocol.common.table import Stage
from protocol.messages import ClientMessage, CommitShare, OpenShare

Make = Callable[[int], ClientMessage]
"""Builds a message from its serial."""


@attrs.define(eq=False)
class OwnPart:
    """State of this client's part in the current start of the followed table."""

    new_share: Callable[[], bytes] = attrs.field(repr=False)
    """Draws 32 bytes from the entropy source."""
    keep: Callable[[str, KeptShare], None]
    """Stores the share that is about to be opened at a table."""
    _share: bytes | None = attrs.field(default=None, init=False, repr=False)
    _has_bound: bool = attrs.field(default=False, init=False)
    _has_opened: bool = attrs.field(default=False, init=False)

    def again(self) -> None:
        """Send the refused message again when it is next due."""
        self._has_bound = self._has_opened = False

    def wasted(self, view: TableView, steps: Iterable[TableStep]) -> int:
        """
        Return how many starts of the table failed after this client had opened its share.

        Args:
            view: of the table, after the steps.
            steps: the latest; the result is 0 if no such start failed in them.
        """
        has_failed = any(isinstance(step.record.event, StartFailed) for step in steps)
        if not (has_failed and self._has_opened) or view.seat is None:
            return 0
        # At least 1: the server may have left our share out of the log.
        return max(1, spent((record.event for record in view.records), view.seat))

    def is_replaced(self, view: TableView) -> bool:
        """Return whether the log binds this player's seat to a share that is not theirs."""
        ceremony = view.table.room.ceremony
        if self._share is None or ceremony is None or view.seat is None:
            return False
        bound = ceremony.commitments.get(view.seat)
        return bound is not None and bound != hashlib.sha256(self._share).digest()

    def is_of_old_keys(self, view: TableView) -> bool:
        """Return whether the running start lets the server choose its keys: PROTOCOL.md, 10."""
        room = view.table.room
        return room.stage is Stage.STARTING and room.version == 1

    def due(self, view: TableView) -> Iterator[Make]:
        """Yield each message that is due, once."""
        room = view.table.room
        ceremony = room.ceremony
        if ceremony is None or room.play_seed is None or room.stage is not Stage.STARTING:
            self._share = None
            self.again()
            return
        seat, room_id = view.seat, view.room_id
        if seat is None or seat not in room.seats:
            return
        if seat not in ceremony.commitments and not self._has_bound:
            share = self._share = self.new_share()
            self._has_bound = True
            commitment = hashlib.sha256(share).digest()
            yield lambda serial: CommitShare(serial, room_id, commitment)
        all_bound = set(ceremony.commitments) >= set(room.seats)
        is_open = seat in ceremony.shares or self._has_opened
        if self.is_replaced(view):
            # Opened now, our share would look as if it were in the key, and would not be.
            return
        if all_bound and not is_open and self._share is not None:
            opened = self._share
            self._has_opened = True
            self.keep(room_id, KeptShare(opened, digest_of_start(room)))
            yield lambda serial: OpenShare(serial, room_id, opened)
