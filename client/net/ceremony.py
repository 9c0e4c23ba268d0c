"""
A player's part in the ceremony that starts a game, played by the client automatically.

The client commits to a share of chance once the server has committed to its seeds, and opens the
share once all seats have committed to their shares.
"""

from collections.abc import Callable, Iterable, Iterator

import attrs

from client.keyring.shares import BoundShare, KeptShare, spent
from client.model.tables import TableStep, TableView
from protocol.common.events import StartFailed
from protocol.common.signed import commitment_of_share, share_statement, start_id
from protocol.common.table import SIGNED_VERSION, Opened, Stage
from protocol.messages import ClientMessage, CommitShare, OpenShare

MOST_UNASKED = 3
"""The number of shares that the client may open at one table without the player's consent."""

Make = Callable[[int], ClientMessage]
NewBound = Callable[[], BoundShare | None]
"""Makes the share of a start; returns None if the client must not bind one."""


def _alone(_view: TableView, _seat: int, make: NewBound) -> BoundShare | None:
    return make()


@attrs.define(eq=False)
class OwnPart:
    """State of this client's part in the current start of the followed table."""

    new_share: Callable[[], bytes] = attrs.field(repr=False)
    keep: Callable[[str, KeptShare], bool]
    """
    Stores a share that the client is about to open. Returns False if the client must not open it.
    """
    last: Callable[[TableView], Opened] = lambda _view: Opened()
    """Returns the last opening at a table, according to the log and the stored shares."""
    may_open: Callable[[str, int], bool] = lambda _room_id, _number: True
    """Returns whether the player permits the opening with this number at a table."""
    sign: Callable[[bytes], bytes] | None = attrs.field(default=None, repr=False)
    """Signs with the player's key; None for a bot of the server, which has no key."""
    bind: Callable[[TableView, int, NewBound], BoundShare | None] = _alone
    """Returns the share of a seat in the current start, which another window may have made."""
    _own: BoundShare | None = attrs.field(default=None, init=False, repr=False)
    _has_bound: bool = attrs.field(default=False, init=False)
    _has_opened: bool = attrs.field(default=False, init=False)
    is_exposed: bool = attrs.field(default=False, init=False)
    """Whether the share was sent in this start. The server then has the share, even if it refused
    the message."""

    def resend(self) -> None:
        """Forget what was sent in this start, so that `due` yields the messages again."""
        self._has_bound = self._has_opened = False

    def wasted(self, view: TableView, steps: Iterable[TableStep]) -> int:
        """
        Return the number of starts that failed after this client had opened its share.

        Args:
            view: the table after the steps.
            steps: the latest steps. If none of them is such a failure, the result is 0.
        """
        has_failed = any(isinstance(step.record.event, StartFailed) for step in steps)
        if not (has_failed and self.is_exposed) or view.seat is None:
            return 0
        # At least 1: the server may have left our share out of the log.
        return max(1, spent((record.event for record in view.records), view.seat))

    def is_replaced(self, view: TableView) -> bool:
        """Return whether the log has another share in place of the player's own.

        This is also true if the log calls the player's seat a bot of the server.
        """
        ceremony = view.table.room.ceremony
        if self._own is None or ceremony is None or view.seat is None:
            return False
        bound = ceremony.commitments.get(view.seat)
        own = view.seat, self._own.share, self._own.number, self._own.before
        # A seat that is said to be the server's own bot would count as one without a signature.
        is_disowned = self.sign is not None and view.table.room.seats[view.seat].is_bot
        is_other = bound is not None and bound != commitment_of_share(view.table.room, *own)
        return is_other or is_disowned

    def is_of_old_keys(self, view: TableView) -> bool:
        """
        Return whether the running start lets the server choose the keys of chance.

        Starts of old protocol versions do (PROTOCOL.md, section 10).
        """
        room = view.table.room
        is_old = room.version < SIGNED_VERSION and room.source is None
        return room.stage is Stage.STARTING and is_old

    def due(self, view: TableView) -> Iterator[Make]:
        """Yield, for each due message, a function that makes the message from its serial."""
        room = view.table.room
        ceremony = room.ceremony
        if ceremony is None or room.play_seed is None or room.stage is not Stage.STARTING:
            # The next start gets a share of its own.
            self._own, self.is_exposed = None, False
            self.resend()
            return
        seat, room_id = view.seat, view.room_id
        if seat is None or seat not in room.seats:
            return
        if not self._has_bound:
            is_bound = seat in ceremony.commitments
            # Another window may have bound the seat, with a share that this one then opens too.
            bound = self._own or self.bind(
                view, seat, lambda: None if is_bound else self._new_bound(view)
            )
            if bound is None and not is_bound:
                return
            # False if another window has bound the seat but its share cannot be read yet.
            self._has_bound = bound is not None
            self._own = bound
            if bound is not None and not is_bound:
                own = seat, bound.share, bound.number, bound.before
                commitment = commitment_of_share(room, *own)
                yield lambda serial: CommitShare(serial, room_id, commitment)
        all_bound = set(ceremony.commitments) >= set(room.seats)
        is_open = seat in ceremony.shares or self._has_opened
        if self.is_replaced(view):
            # Opened now, our share would look as if it were in the key, and would not be.
            return
        if all_bound and not is_open and self._own is not None:
            opened, number, before = self._own.share, self._own.number, self._own.before
            signature = b""
            if self.sign is not None and number:
                statement = share_statement(room, seat, opened, number, before)
                signature = self.sign(statement)
            # Set even if `keep` refuses, so that the player is warned only once.
            self._has_opened = True
            # Kept first: a number that is forgotten would be signed twice.
            if self.keep(room_id, KeptShare(opened, start_id(room), number)):
                self.is_exposed = True
                yield lambda serial: OpenShare(serial, room_id, opened, number, before, signature)

    def _new_bound(self, view: TableView) -> BoundShare | None:
        """Return a new share for the current start; None without the player's permission."""
        number, before = 0, b""
        if self.sign is not None and view.table.room.version >= SIGNED_VERSION:
            last = self.last(view)
            number, before = last.number + 1, last.start
        if not self.may_open(view.room_id, number):
            return None
        return BoundShare(self.new_share(), number, before)
