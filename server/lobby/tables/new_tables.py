"""New tables: a room whose opener has the first seat."""

import attrs

from protocol import messages
from protocol.common import events
from protocol.common.observers import observer_of
from protocol.common.table import LOG_VERSION, table_class
from server.identity.invitations import InvitationKind, Invitations, InvitationTarget
from server.kernel.errors import Refused
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import Visitor
from server.lobby.rooms.registry import Registry
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.opening import Openers
from server.lobby.tables.scenarios import card_of, digest_of, must_be_offered


@attrs.frozen(eq=False)
class NewTables:
    """Opens tables for the keys that are allowed to."""

    services: LobbyServices
    registry: Registry
    openers: Openers
    invitations: Invitations

    async def open(self, visitor: Visitor, message: messages.OpenTable) -> messages.TableOpened:
        """
        Open a table as the message specifies.

        Raises:
            Refused: the visitor may not open a table or is named as its observer, the disk is
                nearly full, or there is no such scenario or its game is not offered.
        """
        await self.openers.admit(visitor.session, message.password)
        self.services.disk.refuse_if_low()
        card = card_of(self.services.shelf, message.scenario)
        must_be_offered(self.services.shelf, card)
        digest = digest_of(self.services.shelf, message.scenario)
        host = self.registry.add(self.registry.new_room_id())
        try:
            with self.openers.counted(visitor.session, host.room.room_id):
                account, settings = visitor.session.account, message.settings
                if "stops" not in table_class(card.ruleset).has_settings:
                    # In such a game its windows would tell who could act in them.
                    settings = attrs.evolve(settings, stops=False)
                room_id = host.room.room_id
                if observer_of(settings, account.key) is not None:
                    # Before anything is stored: the opener could not sit down at such a table.
                    raise Refused("table/observer")
                opened = events.RoomOpened(
                    *(room_id, card.ruleset, message.scenario, digest, settings, LOG_VERSION),
                    source=None,
                )
                await host.submit(opened, 0)
                await host.submit(events.SeatTaken(0, account.name, account.key, is_bot=False), 0)
                code = await self.invitations.make(
                    InvitationTarget(room_id, InvitationKind.ANY_SEAT)
                )
                watch = ""
                if settings.spectators or settings.observers:
                    watch = await self.invitations.make(
                        InvitationTarget(room_id, InvitationKind.WATCH)
                    )
                return messages.TableOpened(message.serial, room_id, code, watch)
        finally:
            self.registry.release(host)


@handles(messages.OpenTable, needs=Needs.SERVER, cost=Cost.STORED | Cost.OPENED)
async def open_table(
    visitor: Visitor, message: messages.OpenTable, tables: NewTables
) -> messages.TableOpened:
    return await tables.open(visitor, message)
