"""
The player's shares of chance: sent when due, kept on disk, and compared with the log.

Only a share that the log binds before the server can still choose makes the dice verifiable, so
every deviation is shown on the message bar, but none stops the game.
"""

from collections.abc import Callable, Sequence

import attrs

from client.keyring.shares import KeptShare, KeptShares, Own, UnreadableShares, judged
from client.model.model import Bar, ClientModel
from client.model.tables import TableStep, TableView
from client.net.ceremony import OwnPart
from client.net.practice import PracticePart
from commands.faults import why_refused
from protocol import messages
from protocol.common.events import GameStarted


@attrs.define(eq=False)
class OwnShares:
    """The shares of chance of the seats that this client speaks for: sent, kept and checked."""

    model: ClientModel
    practice: PracticePart
    new_share: Callable[[], bytes] = attrs.field(repr=False)
    """Draws 32 bytes from the entropy source."""
    shares: KeptShares | None
    """The file of opened shares; None where none is kept."""
    say: Callable[[messages.ClientMessage], None]
    next_serial: Callable[[], int]
    part: OwnPart = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Prepare for the start of a game."""
        self.part = OwnPart(self.new_share, self._keep)

    def send_due(self, view: TableView) -> None:
        """Commit to a share once the server has committed to its seeds; open it once all have."""
        due = self.practice.due(view) if view.is_practice else self.part.due(view)
        for make in due:
            self.say(make(self.next_serial()))

    def repeat(self) -> None:
        """Send the refused share again when it is next due."""
        self.part.again()

    def warn_of(self, view: TableView, steps: Sequence[TableStep]) -> None:
        """Warn of whatever lets the server choose the dice, or shows that it may have done so."""
        say, text = self.model.locale.say, ""
        if wasted := self.part.wasted(view, steps):
            text = say("share.wasted", wasted)
        if self.part.is_replaced(view):
            text = say("share.replaced")
        if self.part.is_of_old_keys(view):
            text = say("share.old_keys")
        has_started = any(isinstance(step.record.event, GameStarted) for step in steps)
        if has_started and self._is_missing(view):
            text = say("share.missing")
        if text:
            self.model.bar = Bar(text, is_wrong=True)

    def _is_missing(self, view: TableView) -> bool:
        """Return whether the kept share was opened for another start than that of the game."""
        if self.shares is None or view.seat is None:
            return False
        try:
            return judged(view.records, self.shares.of(view.room_id)) is Own.MISSING
        except UnreadableShares:
            # `manse verify` reports the damaged file; the game does not stop for it.
            return False

    def _keep(self, room_id: str, kept: KeptShare) -> None:
        if self.shares is None:
            return
        say = self.model.locale.say
        try:
            self.shares.keep(room_id, kept)
        except OSError as error:
            # The share is opened all the same: one full disk must not fail everybody's start.
            why = why_refused(error, say)
            self.model.tell(say("share.not_kept", str(self.shares.path), why), is_wrong=True)
