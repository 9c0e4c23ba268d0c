"""
The player's shares of chance: sent when due, stored on disk, and compared with the log.

The dice can be verified only if the log commits to the player's share before the server has seen
it. So the message bar shows every deviation, but no deviation stops the game.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence

import attrs

from client.keyring.shares import (
    BoundShare,
    KeptShare,
    KeptShares,
    OpenedElsewhere,
    Own,
    UnreadableShares,
    judged,
)
from client.model.model import Bar, ClientModel
from client.model.status import Online
from client.model.tables import TableStep, TableView
from client.net.ceremony import MOST_UNASKED, NewBound, OwnPart
from client.net.practice import PracticePart
from commands.faults import why_refused
from protocol import messages
from protocol.common.events import (
    BranchStarted,
    CampaignContinued,
    GameStarted,
    ProductsSwitched,
    ReadySet,
    ScenarioChosen,
    SetupFixed,
    ShareOpened,
)
from protocol.common.signed import next_number, ready_statement, seeds_id, share_statement
from protocol.common.table import SIGNED_VERSION, Opened, RoomTable, Stage
from protocol.event import Event
from protocol.keys import is_signed

_CHANGES: Mapping[type[messages.ClientMessage], type[Event]] = {
    messages.ContinueCampaign: CampaignContinued,
    messages.SwitchProducts: ProductsSwitched,
    messages.ChooseScenario: ScenarioChosen,
    messages.FixSetup: SetupFixed,
}
"""Changes of the table that only the host requests, each with the event that it causes. The event
makes all seats unready."""


@attrs.define(eq=False)
class OwnShares:
    """The shares of chance of every seat that this client controls: sent, stored and checked."""

    model: ClientModel
    practice: PracticePart
    new_share: Callable[[], bytes] = attrs.field(repr=False)
    shares: KeptShares | None
    """The file of opened shares; None if shares are not stored."""
    say: Callable[[messages.ClientMessage], None]
    next_serial: Callable[[], int]
    sign: Callable[[bytes], bytes] | None = attrs.field(default=None, repr=False)
    """Signs with the player's key; None for a bot of the server, which has no key."""
    has_player: bool = True
    """Whether a person presses ready. If not, at most `MOST_UNASKED` shares are opened at one
    table."""
    is_held: bool = attrs.field(default=False, init=False)
    """Whether a share waits for the player's permission."""
    part: OwnPart = attrs.field(init=False)
    _held_bar: Bar | None = attrs.field(default=None, init=False)
    _last: dict[str, Opened] = attrs.field(factory=dict, init=False)
    """The last share that this process opened, by table."""
    _stated: dict[str, int] = attrs.field(factory=dict, init=False)
    """The number of the last signed statement, by table."""
    _wanted: set[str] = attrs.field(factory=set, init=False)
    """Tables that the player opened, joined or entered. No share is opened at other tables: a
    server could lead a client from table to table until the dice of one suit the server."""
    _seen: dict[str, tuple[int, tuple[type[Event], ...]]] = attrs.field(factory=dict, init=False)
    """
    By table, the last record shown when the player last pressed ready, and the kinds of change that
    were unexpected then. A change that this client has requested, as its host, is expected.
    """
    _ready: dict[str, int] = attrs.field(factory=dict, init=False)
    """By table, the number of the last statement of readiness that was signed in this window."""
    _allowed: set[str] = attrs.field(factory=set, init=False)
    """Tables where the player has pressed ready since the last share was opened there."""

    def __attrs_post_init__(self) -> None:
        self.part = self.new_part()

    def new_part(self) -> OwnPart:
        """Return the state of a new ceremony, whose shares this object stores and signs."""
        return OwnPart(
            self.new_share, self._keep, self._last_of, self._may_open, self.sign, self._bind
        )

    def _bind(self, view: TableView, seat: int, make: NewBound) -> BoundShare | None:
        """Return the share of a seat in the current start, which all windows of the player share.

        Without a file of shares, return a new share.
        """
        if self.shares is None:
            return make()
        try:
            seeds = seeds_id(view.table.room)
            bound = self.shares.bind(view.room_id, seat, seeds, make, self._server)
        except OSError:
            # Without the file there is one window; `_keep` says what cannot be stored.
            return make()
        if bound is not None and self.is_held:
            # Another window had the player's permission.
            self.is_held = False
            if self.model.bar is self._held_bar:
                self.model.bar = Bar("")
        return bound

    def sign_statement(
        self, view: TableView | None, statement: Callable[[str, int, int], bytes]
    ) -> tuple[int, bytes]:
        """
        Sign a statement with the next unused number of the viewer's seat.

        Args:
            view: the table.
            statement: returns the bytes to sign, given room, seat and number.

        Returns:
            The number and the signature; (0, b"") for a spectator, for a client without a key, and
            for old protocol versions.
        """
        if view is None or view.seat is None or self.sign is None:
            return 0, b""
        room = view.table.room
        if room.version < SIGNED_VERSION or view.seat not in room.seats:
            return 0, b""
        # Above the log and above what was sent already, whose record may still be on its way.
        number = max(next_number(room, view.seat), self._stated.get(view.room_id, 0) + 1)
        self._stated[view.room_id] = number
        return number, self.sign(statement(view.room_id, view.seat, number))

    def reuse_number(self, room_id: str) -> None:
        """Let the next statement use the number of a refused one: others could notice a gap."""
        self._stated.pop(room_id, None)

    def want(self, room_id: str) -> None:
        """Record that the player chose to be at a table."""
        self._wanted.add(room_id)

    def allow(self, room_id: str) -> None:
        """
        Record that the player pressed ready at a table, and the last record shown by then.

        If a person plays (`has_player`), this permits the client to open one more share.
        """
        if self.model.view is not None:
            wished = {type(message) for message in self.model.sent.values()}
            unexpected = tuple(change for wish, change in _CHANGES.items() if wish not in wished)
            self._seen[room_id] = self.model.view.last, unexpected
        if self.has_player:
            self._allowed.add(room_id)

    def note_ready(self, room_id: str, number: int) -> None:
        """Record the number of a statement of readiness that was signed in this window."""
        self._ready[room_id] = number

    def _may_open(self, room_id: str, number: int) -> bool:
        may = number <= MOST_UNASKED or room_id in self._allowed
        self.is_held = not may
        if not may:
            # Nobody says that they are ready in a practice game.
            text = "share.held_in_practice" if self.model.is_practising else "share.held"
            self._held_bar = Bar(self.model.locale.say(text, number - 1), is_wrong=True)
            self.model.bar = self._held_bar
        return may

    def _last_of(self, view: TableView) -> Opened:
        """Return the opening with the highest number, from the log, this process and the file."""
        known = [self._last.get(view.room_id, Opened())]
        if view.seat is not None and view.seat in view.table.room.seats:
            known.append(view.table.room.opened.get(view.table.room.seats[view.seat].key, Opened()))
        if self.shares is not None:
            # `manse verify` reports a damaged file; the number goes on from the log then.
            with contextlib.suppress(UnreadableShares):
                kept = self.shares.opened_at(view.room_id, self._server)
                known += [Opened(one.number, start=one.start) for one in kept]
        return max(known, key=lambda one: one.number)

    def send_due(self, view: TableView) -> None:
        """
        Commit to the own share, or open it, if that is due and the player has agreed.

        The client commits once the server has committed to its seeds, and opens the share once all
        seats have committed.
        """
        if view.room_id not in self._wanted or not self._has_agreed(view):
            return
        due = self.practice.due(view) if view.is_practice else self.part.due(view)
        for make in due:
            self.say(make(self.next_serial()))

    def _has_agreed(self, view: TableView) -> bool:
        """Return whether the player agreed to the running start as it is; if not, warn them.

        The result is also True if no signed consent is needed, as in practice games.
        """
        room, seat = view.table.room, view.my_seat
        if room.stage is not Stage.STARTING or view.is_practice or view.seat is None:
            return True
        if seat is None or self.sign is None or room.version < SIGNED_VERSION:
            return True
        key, text = self.model.key, "share.not_ready"
        for record in reversed(view.records):
            ready = record.event
            if not isinstance(ready, ReadySet) or ready.seat != view.seat:
                continue
            statement = ready_statement(room.room_id, ready.seat, ready.number, is_ready=True)
            is_said = ready.is_ready and seat.is_ready and not seat.is_bot
            if is_said and is_signed(key, statement, ready.signature):
                seen, unexpected = self._seen.get(view.room_id, (record.sequence, ()))
                if ready.number > self._ready.get(view.room_id, 0):
                    # Said in another window, which knows what the player was shown there.
                    return True
                between = view.records[seen + 1 : record.sequence]
                if not any(isinstance(one.event, unexpected) for one in between):
                    return True
                # What the player was ready for is not what would start.
                text = "share.changed"
            break
        # A server could make up a start, look at the dice, and ask for the real consent later.
        self.model.bar = Bar(self.model.locale.say(text), is_wrong=True)
        return False

    def repeat(self) -> None:
        """Send the messages of the ceremony again when they are next due, after a refusal."""
        self.part.resend()
        self.practice.resend()

    def warn_about(self, view: TableView, steps: Sequence[TableStep]) -> None:
        """Warn if the server can choose the dice, or if the log shows signs that it did."""
        say, text = self.model.locale.say, ""
        # The last finding wins, because the message bar shows one sentence.
        if wasted := self.part.wasted(view, steps):
            text = say("share.wasted", wasted)
        if self.part.is_replaced(view) or self.practice.is_replaced(view):
            text = say("share.replaced")
        if self.part.is_of_old_keys(view):
            text = say("share.old_keys" if view.table.room.version == 1 else "share.unsigned")
        starts = GameStarted | BranchStarted
        has_started = any(isinstance(step.record.event, starts) for step in steps)
        if has_started and self._is_missing(view):
            text = say("share.missing")
        elif any(self._is_forged(view, step) for step in steps):
            text = say("share.replaced")
        if text:
            self.model.bar = Bar(text, is_wrong=True)

    def _is_forged(self, view: TableView, step: TableStep) -> bool:
        """Return whether a game starts with a share of this player that lacks their signature."""
        room, happened = step.before.room, step.record.event
        # The start of a practice game's source is no start of its own.
        is_start = isinstance(happened, BranchStarted) or (
            isinstance(happened, GameStarted) and room.source is None
        )
        if not is_start or self.sign is None or room.version < SIGNED_VERSION:
            return False
        # The last opening of a seat counts; earlier ones are of failed starts.
        shares: dict[int, ShareOpened] = {}
        for record in view.records[: step.record.sequence]:
            if isinstance(record.event, ShareOpened):
                shares[record.event.seat] = record.event
        mine = [number for number, seat in room.seats.items() if seat.key == self.model.key]
        return not all(seat in shares and self._is_mine(room, shares[seat]) for seat in mine)

    def _is_mine(self, room: RoomTable, share: ShareOpened) -> bool:
        statement = share_statement(room, share.seat, share.share, share.number, share.before)
        return is_signed(self.model.key, statement, share.signature)

    def _is_missing(self, view: TableView) -> bool:
        """Return whether this client stored shares for the table, but its log has other ones."""
        if self.shares is None or view.seat is None:
            return False
        try:
            kept = self.shares.opened_at(view.room_id, self._server)
            return judged(view.records, kept) is Own.MISSING
        except UnreadableShares:
            # `manse verify` reports the damaged file; the game does not stop for it.
            return False

    @property
    def _server(self) -> str:
        """The fingerprint of the server; empty if it is not connected."""
        status = self.model.status
        return status.fingerprint if isinstance(status, Online) else ""

    def _keep(self, room_id: str, kept: KeptShare) -> bool:
        """Store a share that the client is about to open; return whether it may be opened.

        Warn if the share cannot be stored, or if the player has opened shares in earlier starts of
        this table.
        """
        say = self.model.locale.say
        # One consent permits one opening.
        self._allowed.discard(room_id)
        if kept.number:
            self._last[room_id] = Opened(kept.number, start=kept.start)
        if kept.number > 1:
            self.model.tell(say("share.again", kept.number - 1), is_wrong=True)
        if self.shares is None:
            return True
        try:
            self.shares.keep(room_id, kept, self._server)
        except OpenedElsewhere:
            # The server shows this window other commitments than the one that opened the share.
            self.model.tell(say("share.replaced"), is_wrong=True)
            return False
        except OSError as error:
            # Opened all the same only where no number is signed, which must not be forgotten.
            why, may_open = why_refused(error, say), not kept.number
            text = "share.not_kept" if may_open else "share.not_given"
            self.model.tell(say(text, str(self.shares.path), why), is_wrong=True)
            return may_open
        return True
