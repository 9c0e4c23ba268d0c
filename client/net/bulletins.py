"""Shows refusals and notices on the message bar, and clears stale texts."""

from collections.abc import Iterable

import attrs

from client.model.model import Bar, ClientModel
from client.model.tables import TableStep
from protocol import messages
from protocol.common.events import RoomClosed, TakenBack

_MENDS = (TakenBack, RoomClosed)
"""Events that resume or end a halted game."""
_NEWS = frozenset({"table/again", "table/invitations_renewed", "review/open"})
"""Codes of notices that report no problem."""


@attrs.define(eq=False)
class Bulletins:
    """The texts of the message bar: refusals, notices and confirmations in words."""

    model: ClientModel
    _nothing_due: Bar | None = attrs.field(default=None, init=False)
    """The text for a spectator while the delay hides every record of a table."""
    _halted: Bar | None = attrs.field(default=None, init=False)
    """The text about a game that cannot continue by itself."""

    def refuse(self, refused: messages.Refusal, asked: messages.ClientMessage | None) -> None:
        """Show a refusal on the message bar.

        Do not show that a share came too late: another window sent it, or the start is over.
        """
        is_late = refused.code in {"start/given_already", "start/not_now"}
        if is_late and isinstance(asked, messages.CommitShare | messages.OpenShare):
            # Another window of this player was faster, or the start is over; `warn_about` checks
            # what the log has.
            return
        self.model.bar = Bar(self._sentence(refused), is_wrong=True)
        if refused.code == "table/halted":
            self._note_halted()

    def notify(self, notice: messages.Notice) -> None:
        """Show a notice on the message bar.

        Do not show that invitations were renewed if this client renewed them: the reply says so.
        """
        # Everybody at the table gets this notice, also the client that asked, whose reply says it.
        is_renewing = any(
            isinstance(one, messages.RenewInvitations) for one in self.model.sent.values()
        )
        if not (is_renewing and notice.code == "table/invitations_renewed"):
            self.model.bar = Bar(self._sentence(notice), is_wrong=notice.code not in _NEWS)
        if notice.code == "table/halted" and self._is_here(notice):
            self._note_halted()
        elif notice.code in {"table/unreadable", "table/goes_on"} and self._is_here(notice):
            self.model.bar = Bar(self._sentence(notice))

    def say_nothing_due(self) -> None:
        """Tell a spectator that the delay hides all records so far."""
        self._nothing_due = self.model.bar = Bar(self.model.locale.say("waiting_room.nothing_due"))

    def say_done(self, asked: messages.ClientMessage | None) -> None:
        """Show that a request succeeded, if nothing else on the screen shows it."""
        say = self.model.locale.say
        match asked:
            case messages.RenewInvitations():
                self.model.bar = Bar(say("invitation.renewed"))
            case messages.ShareGame():
                key = "games.agreed" if asked.is_agreed else "games.withdrawn"
                self.model.bar = Bar(say(key))
            case _:
                pass

    def drop_stale(self, steps: Iterable[TableStep]) -> None:
        """Clear the message bar if these steps made its text untrue."""
        stale = [self._nothing_due]
        if any(isinstance(step.record.event, _MENDS) for step in steps):
            stale.append(self._halted)
            self.model.update_table(is_halted=False)
        # By identity: an equal text may have been set since, for another reason.
        if any(self.model.bar is bar for bar in stale):
            self.model.bar = Bar("")

    def _note_halted(self) -> None:
        self._halted = self.model.bar
        self.model.update_table(is_halted=True)

    def _is_here(self, notice: messages.Notice) -> bool:
        return self.model.view is not None and notice.room_id == self.model.view.room_id

    def _sentence(self, message: messages.Refusal | messages.Notice) -> str:
        said = self.model.words_for(message)
        if isinstance(message, messages.Notice) and message.report:
            return self.model.locale.say("error.report", said, message.report)
        return said
