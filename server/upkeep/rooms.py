"""Read access to the rooms of a store for commands: content, setups and summaries."""

import time
from collections.abc import Iterator

from twisted.internet.task import Clock

from protocol.errors import ProtocolError
from server.lobby.rooms import summary
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.summary import Summary, read_summary
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.setups import Setups
from server.packs.compiled import CompiledPacks
from server.packs.shelf import PackShelf
from server.storage import Store
from server.system.entropy import SystemEntropy
from server.upkeep.opened import result_of


def surroundings_of(store: Store, compiled: CompiledPacks) -> LobbyServices:
    """Return services that read the rooms of a store and write nothing."""
    shelf = PackShelf(compiled.load)
    result_of(shelf.read(store))
    services = LobbyServices(
        store=store,
        shelf=shelf,
        # Reading waits for no time, so a clock that stands still will do.
        clock=Clock(),
        now=lambda: int(time.time() * 1000),
        entropy=SystemEntropy(),
    )
    result_of(Setups(services, Registry(services)).load())
    return services


def parts_of_campaigns(services: LobbyServices) -> set[str]:
    """Return the scenarios that are parts of a campaign, in all packs and their old versions."""
    assert isinstance(services.shelf, PackShelf)
    return services.shelf.parts_of_campaigns()


def summaries_in(store: Store) -> dict[str, Summary]:
    """Return the summaries of rooms, by room, except those that this version cannot read."""
    return dict(_readable(result_of(store.scan(summary.KIND))))


def _readable(packed: list[tuple[str, bytes]]) -> Iterator[tuple[str, Summary]]:
    for room_id, each in packed:
        try:
            yield room_id, read_summary(each)
        except ProtocolError:
            # The next start writes it again.
            continue
