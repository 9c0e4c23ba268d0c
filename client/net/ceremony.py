"""
The ceremony: a player's own part in the start of a game, which their client plays by itself.

It binds itself to a share of chance once the server has bound itself to its seeds, and opens it
once all seats have.
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
"""Makes a message from its serial."""


@attrs.define(eq=False)
class OwnPart:
    """What one client has said in the present start of the table that it follows."""

    new_share: Callable[[], bytes] = attrs.field(repr=False)
    """Draws 32 bytes from the entropy source."""
    keep: Callable[[str, KeptShare], None]
    """Takes the table and the share that is opened there next."""
    _share: bytes | None = attrs.field(default=None, init=False, repr=False)
    _has_bound: bool = attrs.field(default=False, init=False)
    _has_opened: bool = attrs.field(default=False, init=False)

    def again(self) -> None:
        """Say once more what was refused."""
        self._has_bound = self._has_opened = False

    def wasted(self, view: TableView, steps: Iterable[TableStep]) -> int:
        """
        Return how many starts have failed here after this client had sent its share.

        Args:
            view: with the steps taken.
            steps: the latest; 0 is returned where no such start failed in them.
        """
        has_failed = any(isinstance(step.record.event, StartFailed) for step in steps)
        if not (has_failed and self._has_opened) or view.seat is None:
            return 0
        # The log may keep silent about a share that it was sent.
        return max(1, spent((record.event for record in view.records), view.seat))

    def is_replaced(self, view: TableView) -> bool:
        """Return whether the log binds this player's seat to a share that is not theirs."""
        ceremony = view.table.room.ceremony
        if self._share is None or ceremony is None or view.seat is None:
            return False
        bound = ceremony.commitments.get(view.seat)
        return bound is not None and bound != hashlib.sha256(self._share).digest()

    def is_of_old_keys(self, view: TableView) -> bool:
        """Return whether a start goes on whose keys the server can choose: PROTOCOL.md, 10."""
        room = view.table.room
        return room.stage is Stage.STARTING and room.version == 1

    def due(self, view: TableView) -> Iterator[Make]:
        """Yield what is to be said next, each once."""
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
            # Opened now, it would be in no key, and would look as if it were.
            return
        if all_bound and not is_open and self._share is not None:
            opened = self._share
            self._has_opened = True
            self.keep(room_id, KeptShare(opened, digest_of_start(room)))
            yield lambda serial: OpenShare(serial, room_id, opened)
