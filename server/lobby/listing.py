"""Lists that somebody asks for: tables, scenarios, where they are awaited, seats they lost."""

from typing import TYPE_CHECKING

import attrs

from protocol import messages
from protocol.bounds import MAX_LINES
from server.lobby.requests.visitor import Visitor
from server.lobby.tables.scenarios import line_of, subjects_of

if TYPE_CHECKING:
    from server.lobby.desk import LobbyDesk

_Asked = (
    messages.ListTables | messages.ListScenarios | messages.ListLostSeats | messages.ListAwaited
)
_Listed = messages.Tables | messages.Scenarios | messages.LostSeats | messages.Awaited


@attrs.frozen(eq=False)
class Lists:
    """What a desk tells of its house to whoever asks."""

    desk: "LobbyDesk"

    async def reply(self, visitor: Visitor, message: _Asked) -> _Listed:
        """Return the list. Fails as the store does."""
        match message:
            case messages.ListTables():
                return await self._tables(visitor, message)
            case messages.ListScenarios():
                return await self._scenarios(visitor, message)
            case messages.ListLostSeats():
                return await self._lost_seats(visitor, message)
            case messages.ListAwaited():
                return self._awaited(visitor, message)

    async def _lost_seats(
        self, visitor: Visitor, message: messages.ListLostSeats
    ) -> messages.LostSeats:
        found = await self.desk.lost.take(visitor.session.account.key)
        self.desk.tell_words(visitor, [lost.scenario for lost in found])
        return messages.LostSeats(message.serial, found)

    def _awaited(self, visitor: Visitor, message: messages.ListAwaited) -> messages.Awaited:
        key = visitor.session.account.key
        found = self.desk.registry.awaited(key)[:MAX_LINES]
        state = messages.MailState.NONE if self.desk.mail is None else self.desk.mail.state(key)
        shown = self.desk.shown_to(key)
        lines = tuple(
            messages.AwaitedLine(one.room_id, one.names, one.since, one.room_id in shown)
            for one in found
        )
        return messages.Awaited(message.serial, lines, state)

    async def _tables(self, visitor: Visitor, message: messages.ListTables) -> messages.Tables:
        key = visitor.session.account.key
        found = list(self.desk.registry.of_key(key))[:MAX_LINES]
        self.desk.tell_words(visitor, [summary.scenario for summary in found])
        lines = tuple(
            messages.TableLine(
                summary.room_id,
                summary.scenario,
                summary.stage,
                summary.names,
                any(summary.keys[at] == key for at in summary.waiting_for),
                summary.when,
                summary.is_practice,
            )
            for summary in found
        )
        return messages.Tables(message.serial, lines)

    async def _scenarios(
        self, visitor: Visitor, message: messages.ListScenarios
    ) -> messages.Scenarios:
        cards = self.desk.around.shelf.scenarios()[:MAX_LINES]
        self.desk.tell_words(visitor, [subject for card in cards for subject in subjects_of(card)])
        return messages.Scenarios(message.serial, tuple(map(line_of, cards)))
