"""
Enters tables and keeps their records and words complete.

Records come from the local cache first and from the server afterwards. After an interruption the
server sends the missing records. The server sends words together with records, in the language of
the session. If the language has changed, the client requests the records again.
"""

from collections.abc import Callable, Iterator, Sequence

import attrs

from client.cache.table_file import Part
from client.model.model import ClientModel
from client.model.status import Online
from client.model.tables import OutOfStep, TableStep, TableView
from client.net.kept import KeptTable
from protocol import messages
from protocol.common.table import Stage
from protocol.errors import ProtocolError

_LOST = frozenset({"table/no_seat", "table/no_such_table"})
"""Codes with which a server refuses a table to a player who has no seat there."""

_PASSING = frozenset({"table/stopped", "table/too_busy", "server/error"})
"""Codes of refusals that the server may lift a moment later."""


@attrs.define(eq=False)
class TableEntry:
    """The part of a port that enters a table, also after each interruption, and leaves it."""

    model: ClientModel
    kept: KeptTable
    say: Callable[[messages.ClientMessage], None]
    next_serial: Callable[[], int]
    warn: Callable[[TableView, Sequence[TableStep]], None]
    """Warns the player if these steps show a start whose dice the server may have chosen."""
    later: Callable[[Callable[[], None]], object]
    """Runs a function after all other pending work, such as keys and drawing."""
    _is_shut_out: bool = attrs.field(default=False, init=False)
    """True if the server has refused entry for now. The client asks again at each ping."""
    _was_held: bool = attrs.field(default=False, init=False)
    """True if some records, with their words, arrived before this session."""
    _is_recalled: bool = attrs.field(default=False, init=False)
    """True while the table comes from the local cache and the server has not admitted us yet."""
    _words_language: str = attrs.field(default="", init=False)
    """The language of the words that came with the records."""
    _watch_codes: dict[str, str] = attrs.field(factory=dict, init=False, repr=False)
    """
    Codes of spectators' invitations by room. Each new connection has to present the code again.
    """

    def enter(self, room_id: str) -> None:
        view = self.model.view
        if view is not None and view.room_id == room_id:
            self._request_entry(room_id, self._last_worded(view))
            return
        self._open_kept(room_id)
        kept = self.kept.view()
        if kept is None:
            self._request_entry(room_id, -1)
            return
        self._is_recalled = True
        self.model.follow(kept)
        # The table counts as catching up until the whole file is read.
        self.model.update_table(next_sequence=self.kept.following)
        self._recall_more(kept, self.kept.parts())

    def enter_joined(self, room_id: str, code: str) -> None:
        """
        Enter the table of an invitation.

        Args:
            room_id: the table.
            code: the code of an invitation to spectate; empty for an invitation to a seat.
        """
        view = self.model.view
        if code:
            self._watch_codes[room_id] = code
        if view is not None and view.room_id == room_id and view.seat is not None:
            # A spectator who had a seat may see less than they have seen already.
            self.say(messages.EnterTable(self.next_serial(), room_id, -1))
        else:
            self.enter(room_id)

    def entered(self, message: messages.Entered) -> None:
        """Handle an entry to a table; start a new view for another log or seat."""
        seat = message.seat if message.seat >= 0 else None
        self._is_recalled = False
        self._open_kept(message.room_id)
        # Another log under the same id: the records held are of no use.
        if message.is_other:
            self.kept.forget()
        view = self.model.view
        # Not `view.seat`, which changes during a practice game.
        shown = None if view is None else (view.room_id, view.entered_as)
        if message.is_other or shown != (message.room_id, seat):
            self.model.follow(TableView(message.room_id, seat))
        # The server asks for reports again, and has forgotten what a bot asked for.
        self.model.update_table(
            next_sequence=message.next_sequence,
            is_stopped=False,
            is_halted=False,
            reported=None,
            read_so_far=None,
        )

    def refused(self, refused: messages.Refusal, asked: messages.ClientMessage) -> None:
        """Handle the refusal of an entry: leave the table, or prepare another try."""
        view = self.model.view
        if isinstance(asked, messages.EnterTable) and self._is_recalled:
            # Records from an earlier evening must not look like a table that is followed.
            self._is_recalled = False
            self.model.follow(None)
        elif isinstance(asked, messages.EnterTable) and refused.code in _LOST:
            is_followed = view is not None and view.room_id == asked.room_id
            if is_followed and view is not None and view.table.room.stage is Stage.LOBBY:
                # The seat was emptied while its owner was away.
                self.model.follow(None)
        elif refused.code in _PASSING and view is not None:
            self._is_shut_out = True

    def pinged(self) -> None:
        """Try to enter again after a temporary refusal; called at each ping."""
        if self._is_shut_out:
            self.come_back()

    def come_back(self) -> None:
        """Follow the table again after an interruption."""
        view, self._is_shut_out = self.model.view, False
        if view is None:
            # The login has told the server this language.
            self._words_language = self.model.locale.language
        elif view.seat is None and view.room_id in self._watch_codes:
            code = self._watch_codes[view.room_id]
            self.say(messages.WatchTable(self.next_serial(), code))
        else:
            self.catch_up()

    def catch_up(self) -> None:
        """Request the missing records, or all records if their words are in another language."""
        view = self.model.view
        if view is not None:
            self._request_entry(view.room_id, self._last_worded(view))

    def unfollow(self) -> None:
        """Stop following a table, without telling the server."""
        self.kept.close()
        self.model.follow(None)

    # Words

    @property
    def has_other_language(self) -> bool:
        """Whether the words of the records are in another language than the player's."""
        return self._words_language != self.model.locale.language

    def language_chosen(self, language: str) -> None:
        """Store the language of the session; request words again that came before the session."""
        self._words_language = language
        self.model.reworded()
        if self._was_held and self.model.view is not None:
            self._request_entry(self.model.view.room_id, -1)

    def _last_worded(self, view: TableView) -> int:
        """Return the last record that the server need not send again.

        This is -1 if the words of all records are in another language.
        """
        return -1 if self.has_other_language else view.last

    def _request_entry(self, room_id: str, after: int) -> None:
        """Enter a table at the server, which then sends the records after the sequence `after`."""
        self._was_held = after >= 0
        view = self.model.view
        is_held = view is not None and (view.room_id, view.last) == (room_id, after)
        # By the head the server tells whether ours is the same log; see `Entered.is_other`.
        head = view.head if view is not None and is_held and after >= 0 else b""
        self.say(messages.EnterTable(self.next_serial(), room_id, after, head))

    # The file on this machine

    def _open_kept(self, room_id: str) -> None:
        status = self.model.status
        if isinstance(status, Online):
            self.kept.open(status.fingerprint, room_id, self.model.locale.language)

    def _recall_more(self, view: TableView, parts: Iterator[Sequence[Part]]) -> None:
        """Read one group of parts, then schedule the next; after the last group, ask the server."""
        # The player has left this table while its file was being read.
        if self.model.view is not view:
            return
        try:
            part = next(parts, ())
            steps = [step for one in part for step in view.receive(one.cuts)]
        except (OutOfStep, ProtocolError):
            # The file is damaged, in whatever way: the server has the true records.
            self.kept.forget()
            self.model.follow(TableView(view.room_id, view.seat))
            self._request_entry(view.room_id, -1)
            return
        if not part:
            self._request_entry(view.room_id, view.last)
            return
        self.model.pass_steps(tuple(steps))
        self.warn(view, steps)
        self.model.changed()
        self.later(lambda: self._recall_more(view, parts))
