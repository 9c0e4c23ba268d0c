"""Replies: refusals, notices, and the words that a client needs to show them."""

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from protocol import messages
from protocol.common.asks import Reason
from protocol.common.text import Catalog, Text, strings_of, subjects_in
from server.kernel.errors import Refused
from server.lobby.requests.handlers import HANDLERS
from server.lobby.requests.visitor import Visitor
from server.lobby.rooms.registry import Registry
from server.lobby.services.counts import Counts, NoCounts
from server.lobby.services.seams import Shelf
from server.lobby.views.followers import catalogs_of

COUNTED: Final = frozenset(
    {
        *("server/error", "rule/failed", "table/stopped", "table/unreadable", "table/disk_low"),
        *("table/too_busy", "table/too_many_tables", "table/too_many_here", "table/draining"),
        *("table/not_invited", "table/not_listed", "table/password", "table/wrong_password"),
        *("table/too_many_guesses", "invitation/unknown", "setup/too_many", "review/too_many"),
    }
)
"""
Codes of refusals that metrics count: those about the server. Every other refusal is about a game
and known to its players alone; on a server with one table a count would tell everybody.
"""


@attrs.define(eq=False)
class Replies:
    """Sends refusals, words, and the notice of a failed rule."""

    shelf: Shelf
    registry: Registry
    counts: Counts = attrs.field(factory=NoCounts)
    """Counter of messages; on a server without metrics it counts nothing."""

    def refuse(self, visitor: Visitor, message: messages.ClientMessage, refused: Refused) -> None:
        """Send a refusal, after the words that its reasons need."""
        if refused.code in COUNTED and not HANDLERS[type(message)].is_private:
            self.counts.refused(refused.code)
        reasons = refused.reasons or (Reason(Text(f"refusal/{refused.code}")),)
        room_id = message.room_id if isinstance(message, messages.RoomMessage) else ""
        host = self.registry.hosts.get(room_id) if refused.reasons else None
        # What a ruleset says of its own game is in the words of that game.
        catalogs = catalogs_of(self.shelf, host.room) if host else self.catalogs()
        strings = [said for one in reasons for said in (*strings_of(one.text), one.rule)]
        for words in visitor.words.for_subjects(catalogs, subjects_in(strings)):
            visitor.session.send(words)
        visitor.session.send(
            messages.Refusal(message.serial, refused.code, reasons[0].text, refused.reasons)
        )

    def notice_failure(
        self, visitor: Visitor, message: messages.ClientMessage, report: str
    ) -> None:
        """
        Send the report of a failed rule to everybody who sees the table without a delay.

        If the room is not loaded, only the visitor gets the report.
        """
        room_id = message.room_id if isinstance(message, messages.RoomMessage) else ""
        host = self.registry.hosts.get(room_id)
        if host is not None:
            # The report reveals how far the game is: delayed spectators must not have it.
            host.followers.tell_undelayed("rule/failed", report)
        else:
            text = Text("refusal/rule/failed")
            visitor.session.send(messages.Notice(room_id, "rule/failed", text, report))

    def send_words(self, visitor: Visitor, subjects: Iterable[str]) -> None:
        """Send the words of these subjects that the session does not have yet."""
        for words in visitor.words.for_subjects(self.catalogs(), list(subjects)):
            visitor.session.send(words)

    def catalogs(self) -> Mapping[str, Catalog]:
        """Return the words of the current content, by language; empty without scenarios."""
        scenarios = self.shelf.scenarios()
        current = self.shelf.current(scenarios[0].scenario) if scenarios else None
        return self.shelf.catalogs(current) if current is not None else {}
