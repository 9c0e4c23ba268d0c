"""Whole server in one process with the woods alone."""

import attrs

from protocol.common.table import FixedSetup, RoomTable, Settings
from protocol.messages import TableOpened
from protocol.plugs import plug
from server.kernel.game import Ruleset
from server.lobby.lobby import Lobby
from server.lobby.services.seams import LobbyServices, ScenarioCard
from server.storage import Store
from tests.games.woods.content.words import Catalogs, catalogs
from tests.games.woods.protocol.table import RULESET
from tests.games.woods.server.rules import Content
from tests.kit.servers.house import Client, House

SCENARIO = "woods/night"
DIGEST = b"\2" * 32


@attrs.define(eq=False)
class WoodsShelf:
    """Implements `server.lobby.services.seams.Shelf` with one scenario of the woods."""

    on_shelf: Content = attrs.field(factory=Content)
    setup_seeds: dict[str, bytes] = attrs.field(factory=dict)

    def ruleset(self, name: str) -> Ruleset:
        """Return the rules of a game by its name, as every server finds them."""
        rules: Ruleset = plug("server", name, "plug").RULESET
        return rules

    async def files_of(self, content_hash: bytes, store: Store) -> bytes | None:
        """Return nothing: the woods have no files."""
        del content_hash, store
        return None

    def content(self, room: RoomTable) -> Content:
        """Return the content for any room."""
        del room
        return self.on_shelf

    def setup_seed(self, setup: FixedSetup) -> bytes | None:
        """Return the seed of a fixed setup, None if it is unknown."""
        return self.setup_seeds.get(setup.setup_id)

    def catalogs(self, content_hash: bytes) -> Catalogs:
        """Return the words of the content, by language."""
        return {DIGEST: catalogs()}[content_hash]

    def scenarios(self) -> tuple[ScenarioCard, ...]:
        roster = self.ruleset(RULESET).roster(self.on_shelf)
        return (ScenarioCard(SCENARIO, RULESET, 5, 1, roster),)

    def current(self, scenario: str) -> bytes | None:
        """Return the content hash for a new game of a scenario, None if it is unknown."""
        return DIGEST if scenario == SCENARIO else None


@attrs.define(eq=False)
class WoodsHouse(House):
    """Server of the woods with its clients."""

    on_shelf: Content = attrs.field(factory=Content, kw_only=True)

    def _new_lobby(self) -> Lobby:
        services = LobbyServices(
            store=self.store,
            shelf=WoodsShelf(self.on_shelf),
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
