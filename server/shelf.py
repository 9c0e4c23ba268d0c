"""
The shelf: every pack that a room of this server may need, by the hash of its files.

A room reads the content it was opened with and no other, also after the server was updated. So
the files of each pack that is played are kept in the store, and old ones are read from there.
"""

from collections.abc import Mapping
from importlib import resources

import attrs
from twisted.logger import Logger

from content.loader import ContentErrors, Folder, load_pack, read_files
from content.schema.pack import Catalog, Content, Pack
from protocol import codec
from protocol.common.table import RoomTable
from protocol.errors import ProtocolError
from server.kernel.game import Ruleset
from server.lobby.seams import ScenarioCard
from server.rules.second_edition.ruleset import SecondEdition
from server.storage import Store

KIND = "pack"
"""The namespace of packs in the store."""

_Files = tuple[tuple[str, bytes], ...]


@attrs.define(eq=False)
class PackShelf:
    """Implements `server.lobby.seams.Shelf`, and the kernel's library."""

    packs: dict[bytes, Pack] = attrs.field(factory=dict)
    """By hash."""
    newest: dict[str, Pack] = attrs.field(factory=dict)
    """By id: what new games are played with."""
    _log = Logger()

    def add(self, pack: Pack) -> None:
        """Put a pack on the shelf; new games of its scenarios are played with it."""
        self.packs[pack.digest] = pack
        self.newest[pack.id] = pack

    async def keep(self, folder: Folder, store: Store) -> None:
        """
        Load a pack, put it on the shelf, and keep its files for the rooms that will need them.

        Raises:
            ContentErrors: the pack cannot be used.
        """
        files = read_files(folder)
        pack = load_pack(folder, lambda _: files)
        self.add(pack)
        if await store.get(KIND, pack.digest.hex()) is None:
            packed = codec.encode(tuple(sorted(files.items())), _Files)
            await store.put(KIND, pack.digest.hex(), packed)

    async def load(self, store: Store) -> None:
        """Put the core pack on the shelf, and all packs that were kept for older rooms."""
        folder = resources.files("content") / "packs" / "core"
        await self.keep(folder, store)
        for digest, packed in await store.scan(KIND):
            if bytes.fromhex(digest) in self.packs:
                continue
            try:
                files = dict(codec.decode(packed, _Files))
                pack = load_pack(folder, lambda _, files=files: files)  # type: ignore[misc]
            except (ProtocolError, ContentErrors) as error:
                self._log.warn("the pack {digest} cannot be read: {why}", digest=digest, why=error)
            else:
                self.packs[pack.digest] = pack

    # For the kernel

    def ruleset(self, name: str) -> Ruleset:
        """Return a ruleset. KeyError where there is none of that name."""
        return {SecondEdition.name: SecondEdition()}[name]

    def content(self, room: RoomTable) -> Content:
        """Return what the rules of a room read. KeyError where it is not there any more."""
        pack = self.packs[room.content_hash].without(room.products_off)
        return Content(pack, pack.scenarios[room.scenario])

    # For the lobby

    def catalogs(self, content_hash: bytes) -> Mapping[str, Catalog]:
        """Return the words of the content with this hash, by language."""
        return self.packs[content_hash].catalogs

    def scenarios(self) -> tuple[ScenarioCard, ...]:
        """Return what can be played."""
        return tuple(
            ScenarioCard(
                scenario.id,
                scenario.minutes,
                scenario.difficulty,
                scenario.minimum_players,
                scenario.maximum_players,
                tuple(pack.investigators),
                pack.product_of(scenario.id),
                {
                    product.id: tuple(c for c in product.holds if c in pack.investigators)
                    for product in pack.products.values()
                },
            )
            for pack in self.newest.values()
            for scenario in pack.scenarios.values()
        )

    def current(self, scenario: str) -> bytes | None:
        """Return the hash of the content that a new game of this scenario is played with."""
        for pack in self.newest.values():
            if scenario in pack.scenarios:
                return pack.digest
        return None
