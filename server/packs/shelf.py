"""
The shelf: every pack that a room of this server may need, by the hash of its files.

A room always reads the content with which it was opened, even after an update of the server. So the
files of each pack in play are kept in the store, and old packs are read from there.
"""

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import attrs
from twisted.logger import Logger

from content.plugs import packs
from content.plugs.kind import LoadedPack, ScenarioEntry, kind_of
from content.reading.files import digest_of
from content.reading.mistakes import ContentError, ContentErrors
from protocol import codec
from protocol.common.table import FixedSetup, RoomTable
from protocol.common.text import Catalog
from protocol.errors import ProtocolError
from server.kernel.game import Ruleset, ruleset_of
from server.lobby.services.seams import ScenarioCard
from server.storage import Store, ValueDamaged

KIND = "pack"
"""Namespace of packs in the store."""

_Files = tuple[tuple[str, bytes], ...]
_ID = ""
"""Name of the kept file that holds the id of the pack."""
_WITHOUT_ID = b"core"
"""Id of stored packs without a stored id: the only bundled pack when they were stored."""


@attrs.define(eq=False)
class PackShelf:
    """Packs of this server, for the lobby (`server.lobby.services.seams.Shelf`) and the kernel."""

    load_files: Callable[[str, Mapping[str, bytes]], LoadedPack] = packs.load
    """Loads the files of a pack by its id. ContentErrors: they cannot be used."""
    packs: dict[bytes, LoadedPack] = attrs.field(factory=dict, repr=False)
    """Packs by hash."""
    newest: dict[str, LoadedPack] = attrs.field(factory=dict, repr=False)
    """Packs for new games, by id."""
    damaged: list[str] = attrs.field(factory=list)
    """Digests of stored packs whose files have another digest."""
    setup_seeds: dict[str, bytes] = attrs.field(factory=dict, repr=False)
    """Seed of every fixed setup of this server, by its id."""
    games: tuple[str, ...] = ()
    """Games that new tables may play, as the operator chose them; empty for all."""
    _catalogs: dict[bytes, Mapping[str, Catalog]] = attrs.field(factory=dict, init=False)
    """Words by content hash, then by language."""
    _cards: tuple[ScenarioCard, ...] | None = attrs.field(default=None, init=False)
    """Cards of all scenarios, made on first use."""
    _current: dict[str, bytes] | None = attrs.field(default=None, init=False)
    """Hash of the content for new games by scenario, made on first use."""
    _log = Logger()

    def add(self, pack: LoadedPack) -> None:
        """Add a pack; new games of its scenarios use it."""
        self.packs[pack.digest] = pack
        self.newest[pack.id] = pack
        # The words of every pack may include those of this one.
        self._catalogs.clear()
        self._cards = self._current = None

    async def keep(self, pack_id: str, files: Mapping[str, bytes], store: Store) -> None:
        """
        Load a pack, add it, and store its files for the rooms that will need them.

        Raises:
            ContentErrors: the pack cannot be used, or another pack has its id.
        """
        if pack_id in self.newest:
            reason = "two packs are called that; give one another folder's name"
            raise ContentErrors([ContentError(pack_id, 1, 1, "", reason)])
        pack = self.load_files(pack_id, files)
        self.add(pack)
        kept = {**files, _ID: pack_id.encode()}
        packed = codec.encode(tuple(sorted(kept.items())), _Files)
        try:
            stored = await store.get(KIND, pack.digest.hex())
        except ValueDamaged:
            stored = None
        # A copy that was damaged before its digest was stored differs too.
        if stored != packed:
            await store.put(KIND, pack.digest.hex(), packed)

    async def load(self, store: Store) -> None:
        """
        Load the bundled packs and store their files; load the packs kept for older rooms.

        The bundled pack of a game that is not offered is loaded only if older rooms need a pack of
        that game.
        """
        await self._keep_bundled(self.games, store)
        await self.load_kept(store)
        if self.games:
            await self._keep_bundled({pack.game: None for pack in self.packs.values()}, store)

    async def offer(self, games: tuple[str, ...], store: Store) -> None:
        """Have new tables play these games from now on, all if there are none; load their packs."""
        await self._keep_bundled(games, store)
        self.games = games
        self.prepare()

    async def _keep_bundled(self, games: Collection[str], store: Store) -> None:
        for kind, files in packs.base_packs(games):
            if kind.base not in self.newest:
                await self.keep(kind.base, files, store)

    async def read(self, store: Store) -> None:
        """Add the packs that `load` adds, without writing to the store."""
        for kind, files in packs.base_packs():
            self.add(self.load_files(kind.base, files))
        await self.load_kept(store)

    async def load_kept(self, store: Store) -> None:
        for digest, packed in await store.scan(KIND):
            if bytes.fromhex(digest) in self.packs:
                continue
            try:
                kept = dict(codec.decode(packed, _Files))
                pack_id = kept.pop(_ID, _WITHOUT_ID).decode()
                if digest_of(kept).hex() != digest:
                    self._lose(digest)
                    continue
                pack = self.load_files(pack_id, kept)
            except (ProtocolError, UnicodeError):
                self._lose(digest)
            except ContentErrors as error:
                self._log.warn("the pack {digest} cannot be read: {why}", digest=digest, why=error)
            else:
                # Not `add`: a kept pack is for older rooms, and new games use the newest one.
                self.packs[pack.digest] = pack

    def _lose(self, digest: str) -> None:
        self.damaged.append(digest)
        self._log.error("the stored pack {digest} is damaged; restore a backup", digest=digest)

    def prepare(self) -> None:
        """
        Do slow work before the first request.

        The rules of the games are imported, and the words of each pack are merged with those that
        it overrides.
        """
        _ = self.scenarios()
        for digest in self.packs:
            _ = self.catalogs(digest)

    async def files_of(self, content_hash: bytes, store: Store) -> bytes | None:
        """
        Return the stored files of the pack with this hash, packed; None if they are gone.

        Raises:
            ValueDamaged: the bytes in the store differ from those that were written.
        """
        return await store.get(KIND, content_hash.hex())

    # For the kernel

    def ruleset(self, name: str) -> Ruleset:
        """Return a ruleset by name. LookupError if it is unknown."""
        return ruleset_of(name)

    def content(self, room: RoomTable) -> Any:
        """Return the content of a room, for its rules. KeyError if it is no longer available."""
        pack = self.packs[room.content_hash]
        kind = kind_of(pack.game)
        return kind.content(pack, room.scenario, room.products_off, room.legacy)

    def setup_seed(self, setup: FixedSetup) -> bytes | None:
        """Return the seed of a fixed setup; None if this server does not know it."""
        return self.setup_seeds.get(setup.setup_id)

    # For the lobby

    def catalogs(self, content_hash: bytes) -> Mapping[str, Catalog]:
        """
        Return the words of the content with this hash, by language. KeyError: it is missing.

        A pack's own words come first. Then come today's words of the bundled pack of its game, for
        messages of the rules, even in a game that began with an older pack; then those of all other
        packs, for the lobby's lists; then those that belong to no game.
        """
        if content_hash not in self._catalogs:
            own = self.packs[content_hash]
            shared = packs.shared_words()
            lower = [pack.catalogs for pack in self._below(own)]
            self._catalogs[content_hash] = {
                # Later words override earlier ones.
                language: dict(
                    itertools.chain.from_iterable(
                        catalogs.get(language, {}).items()
                        for catalogs in (shared, *lower, own.catalogs)
                    )
                )
                for language in own.catalogs
            }
        return self._catalogs[content_hash]

    def _below(self, own: LoadedPack) -> Iterator[LoadedPack]:
        """
        Yield the packs whose words `own` overrides, lowest first.

        The base pack of its game comes last.
        """
        base = kind_of(own.game).base
        yield from (pack for pack in self.newest.values() if pack.id not in {own.id, base})
        if base in self.newest:
            yield self.newest[base]

    def offered(self) -> tuple[str, ...]:
        known = dict.fromkeys(pack.game for pack in self.newest.values())
        return tuple(game for game in self.games or known if game in known)

    def scenarios(self) -> tuple[ScenarioCard, ...]:
        if self._cards is None:
            self._cards = tuple(
                _card(pack, entry)
                for pack in self.newest.values()
                for entry in kind_of(pack.game).scenarios(pack)
            )
        return self._cards

    def parts_of_campaigns(self) -> set[str]:
        """Return the scenarios that are parts of a campaign, in all packs, old ones too."""
        return {
            entry.id
            for pack in self.packs.values()
            for entry in kind_of(pack.game).scenarios(pack)
            if entry.campaign
        }

    def current(self, scenario: str) -> bytes | None:
        """Return the hash of the content for new games of this scenario; None if it is unknown."""
        # Every refusal asks for it, and the entries of a large pack take a while to make.
        if self._current is None:
            self._current = {}
            for pack in self.newest.values():
                for entry in kind_of(pack.game).scenarios(pack):
                    self._current.setdefault(entry.id, pack.digest)
        return self._current.get(scenario)


def _card(pack: LoadedPack, entry: ScenarioEntry) -> ScenarioCard:
    ruleset, content = ruleset_of(pack.game), kind_of(pack.game).content(pack, entry.id)
    return ScenarioCard(
        entry.id,
        pack.game,
        entry.minutes,
        entry.difficulty,
        ruleset.roster(content),
        entry.product,
        entry.products,
        entry.campaign,
        entry.after,
    )
