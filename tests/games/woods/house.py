"""Whole server in one process with the woods alone."""

import attrs

from content.plugs import packs
from protocol.common.table import Settings
from protocol.messages import TableOpened
from server.lobby.lobby import Lobby
from server.lobby.services.seams import LobbyServices
from server.packs.shelf import PackShelf
from tests.games.woods.content.plug import WoodsPack
from tests.games.woods.content.schema import Content
from tests.games.woods.protocol.table import RULESET
from tests.kit.servers.house import Client, House

SCENARIO = "woods/night"


def woods_pack(on_shelf: Content | None = None) -> WoodsPack:
    """Return the bundled pack, optionally with other content for its first scenario alone."""
    pack = packs.load("woods", packs.base_files(RULESET))
    assert isinstance(pack, WoodsPack)
    return pack if on_shelf is None else attrs.evolve(pack, scenarios={SCENARIO: on_shelf})


@attrs.define(eq=False)
class WoodsHouse(House):
    """Server of the woods with its clients."""

    on_shelf: Content | None = attrs.field(default=None, kw_only=True)
    """Content that replaces the content of the pack; None to keep it."""

    def _new_lobby(self) -> Lobby:
        shelf = PackShelf()
        shelf.add(woods_pack(self.on_shelf))
        services = LobbyServices(
            store=self.store,
            shelf=shelf,
            clock=self.clock,
            now=lambda: self.wall_began + int(self.clock.seconds() * 1000),
            entropy=self.entropy,
            make_bot=self._make_bot,
        )
        return Lobby(services, sign=self.identity.sign, public=self.identity.public)

    def open_table(self, client: Client, settings: Settings | None = None) -> str:
        """Open a table; return the code of its invitation."""
        client.port.open_table(SCENARIO, settings or Settings())
        self.settle()
        return client.session.last(TableOpened).code
