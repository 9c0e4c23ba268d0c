"""
The shelf: every pack that a room of this server may need, by the hash of its files.

A room reads the content it was opened with and no other, also after the server was updated. So
the files of each pack that is played are kept in the store, and old ones are read from there.
"""

import itertools
from collections.abc import Mapping
from importlib import resources

import attrs
from twisted.logger import Logger

from content.games.second_edition.loader import ContentError, ContentErrors, load_source, read_files
from content.games.second_edition.schema.pack import Catalog, Content, Pack
from protocol import codec
from protocol.common.table import FixedSetup, RoomTable
from protocol.errors import ProtocolError
from protocol.games.second_edition.carried import numbers_in
from server.games.second_edition.rules.ruleset import SecondEdition
from server.kernel.game import Ruleset
from server.lobby.seams import ScenarioCard
from server.storage import Store

KIND = "pack"
"""The namespace of packs in the store."""

CORE = "core"
"""The pack that comes along; its words are there for the rules, whatever is played."""

_Files = tuple[tuple[str, bytes], ...]
_ID = ""
"""Among the files that are kept: what stands in it is the id of a pack that is not the core."""


@attrs.define(eq=False)
class PackShelf:
    """Implements `server.lobby.seams.Shelf`, and the kernel's library."""

    packs: dict[bytes, Pack] = attrs.field(factory=dict)
    """By hash."""
    newest: dict[str, Pack] = attrs.field(factory=dict)
    """By id: what new games are played with."""
    setup_seeds: dict[str, bytes] = attrs.field(factory=dict, repr=False)
    """Of every fixed setup of this server, by its id."""
    _catalogs: dict[bytes, Mapping[str, Catalog]] = attrs.field(factory=dict, init=False)
    """By the hash of what is played."""
    _log = Logger()

    def add(self, pack: Pack) -> None:
        """Put a pack on the shelf; new games of its scenarios are played with it."""
        self.packs[pack.digest] = pack
        self.newest[pack.id] = pack
        self._catalogs.clear()

    async def keep(self, pack_id: str, files: Mapping[str, bytes], store: Store) -> None:
        """
        Load a pack, put it on the shelf, and keep its files for the rooms that will need them.

        Raises:
            ContentErrors: the pack cannot be used.
        """
        if pack_id in self.newest:
            reason = "two packs are called that; give one another folder's name"
            raise ContentErrors([ContentError(pack_id, 1, 1, "", reason)])
        pack = load_source(pack_id, files).pack
        self.add(pack)
        if await store.get(KIND, pack.digest.hex()) is None:
            kept = files if pack_id == CORE else {**files, _ID: pack_id.encode()}
            packed = codec.encode(tuple(sorted(kept.items())), _Files)
            await store.put(KIND, pack.digest.hex(), packed)

    async def load(self, store: Store) -> None:
        """Put the core pack on the shelf, and all packs that were kept for older rooms."""
        core = read_files(resources.files("content") / "packs" / "second_edition" / CORE)
        await self.keep(CORE, core, store)
        for digest, packed in await store.scan(KIND):
            if bytes.fromhex(digest) in self.packs:
                continue
            try:
                files = dict(codec.decode(packed, _Files))
                pack = load_source(files.pop(_ID, CORE.encode()).decode(), files).pack
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
        return Content(pack, pack.scenarios[room.scenario], _carried(pack, room))

    def setup_seed(self, setup: FixedSetup) -> bytes | None:
        """Return the seed of a fixed setup, if it is known here."""
        return self.setup_seeds.get(setup.setup_id)

    # For the lobby

    def catalogs(self, content_hash: bytes) -> Mapping[str, Catalog]:
        """
        Return the words of the content with this hash, by language. KeyError if it is not there.

        Below a pack's own words lie those of the core that is served now, for what its rules say
        (also to a game that began with an older core), and those of all other packs, for what the
        lobby lists.
        """
        if content_hash not in self._catalogs:
            own = self.packs[content_hash]
            below = [pack for pack in self.newest.values() if pack.id not in {own.id, CORE}]
            core = [self.newest[CORE]] if CORE in self.newest else []
            self._catalogs[content_hash] = {
                language: dict(
                    itertools.chain.from_iterable(
                        pack.catalogs.get(language, {}).items() for pack in (*below, *core, own)
                    )
                )
                for language in own.catalogs
            }
        return self._catalogs[content_hash]

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
                *_place(pack, scenario.id),
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


def _carried(pack: Pack, room: RoomTable) -> Mapping[str, int]:
    """Return what a room's game begins with, by the names of its campaign's counters."""
    campaign, legacy = pack.campaign_of(room.scenario), room.legacy
    if campaign is None or legacy is None or legacy.campaign != campaign.id:
        return {}
    return dict(zip(campaign.counters, numbers_in(legacy.shared), strict=False))


def _place(pack: Pack, scenario: str) -> tuple[str, str]:
    """Return the campaign of a scenario and the scenario before it there."""
    campaign = pack.campaign_of(scenario)
    if campaign is None:
        return "", ""
    at = campaign.scenarios.index(scenario)
    return campaign.id, campaign.scenarios[at - 1] if at else ""
