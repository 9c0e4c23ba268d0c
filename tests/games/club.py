"""A server with all games: the second edition, the woods and the toy."""

import attrs

from protocol.messages import GameLine, ScenarioLine
from server.lobby.services.seams import LobbyServices
from server.packs.shelf import PackShelf
from tests.games.toy.house import SCENARIO as TOY
from tests.games.toy.house import toy_pack
from tests.games.woods.house import SCENARIO as WOODS
from tests.games.woods.house import woods_pack
from tests.kit.servers.house import Client, House

__all__ = ["TOY", "WOODS", "Club", "shelf_of"]


@attrs.define(eq=False)
class Club(House):
    """Server of several games with its clients."""

    games: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    """Games that the operator offers; empty for all."""

    def _services(self) -> LobbyServices:
        services = super()._services()
        shelf = services.shelf
        assert isinstance(shelf, PackShelf)
        shelf.add(woods_pack())
        shelf.add(toy_pack())
        shelf.games = self.games
        return services


def shelf_of(house: House) -> PackShelf:
    """Return the packs of a server."""
    shelf = house.lobby.services.shelf
    assert isinstance(shelf, PackShelf)
    return shelf


def listed(client: Client) -> tuple[tuple[GameLine, ...], tuple[ScenarioLine, ...]]:
    """Return the games and the scenarios that the server has listed for a client."""
    lobby = client.model.lobby
    return lobby.games, lobby.scenarios or ()
