"""Whole server in one process with the toy's pack alone."""

from importlib import resources

import attrs

from content.plugs import packs
from content.reading.files import read_files
from protocol.common.table import Settings
from protocol.messages import TableOpened
from server.kernel.chance import MakeChance
from server.lobby.lobby import Lobby
from server.lobby.services.seams import LobbyServices
from server.packs.shelf import PackShelf
from tests.games.toy.content.plug import ToyPack
from tests.kit.servers.house import Client, House
from tests.kit.tables.toy_table import Content

SCENARIO = "toy/plain"


def toy_pack(on_shelf: Content | None = None) -> ToyPack:
    """Return the pack of the toy, optionally with other content for its one scenario."""
    pack = packs.load("toy", read_files(resources.files("tests.games.toy") / "pack"))
    assert isinstance(pack, ToyPack)
    return pack if on_shelf is None else attrs.evolve(pack, decks={SCENARIO: on_shelf})


@attrs.define(eq=False)
class ToyHouse(House):
    """Server of the toy with its clients."""

    on_shelf: Content | None = attrs.field(default=None, kw_only=True)
    """Content that replaces the content of the pack; None to keep it."""
    make_chance: MakeChance | None = attrs.field(default=None, kw_only=True)
    """Makes the chance of the rooms; None for the chance of a server."""

    def _new_lobby(self) -> Lobby:
        shelf = PackShelf()
        shelf.add(toy_pack(self.on_shelf))
        services = LobbyServices(
            store=self.store,
            shelf=shelf,
            clock=self.clock,
            now=lambda: self.wall_began + int(self.clock.seconds() * 1000),
            entropy=self.entropy,
            make_bot=self._make_bot,
            make_chance=self.make_chance,
        )
        return Lobby(services, sign=self.identity.sign, public=self.identity.public)

    def open_table(self, client: Client, settings: Settings | None = None) -> str:
        """Open a table; return the code of its invitation."""
        client.port.open_table(SCENARIO, settings or Settings())
        self.settle()
        return client.session.last(TableOpened).code
