"""
Bundled packs that are read once per process, by whatever asks for them.

Reading one from YAML takes about a second, and many tools read every bundled pack each time. The
first to ask gets what an earlier run has compiled.
Packs are frozen. Files that differ in one byte from the bundled ones are read as ever, and so is
what goes round the plug of a game, such as the tests of a loader.
"""

import functools
from collections.abc import Mapping
from typing import Any, Final

from content.plugs import packs
from content.plugs.kind import LoadedPack, kind_of
from content.reading.files import digest_of
from protocol.plugs import games
from tests.kit import compiled

_KNOWN: Final[dict[bytes, LoadedPack]] = {}
"""Bundled packs by the hash of their files."""
_asked: Final[set[bytes]] = set()
"""Hashes of the packs that were asked for."""


def remember() -> None:
    """Let the plug of each installed game keep its bundled pack once it has read it."""
    for game in packs.games_with_base(games()):
        plug: Any = type(kind_of(game))
        if not hasattr(plug.load, "__wrapped__"):
            plug.load = _remembering(plug.load, game)


def _remembering(load: Any, game: str) -> Any:
    @functools.cache
    def bundled() -> bytes:
        return digest_of(packs.base_files(game))

    @functools.wraps(load)
    def loaded(kind: Any, pack_id: str, files: Mapping[str, bytes]) -> LoadedPack:
        digest = digest_of(files) if pack_id == kind.base else b""
        if digest in _KNOWN:
            return _KNOWN[digest]
        if digest != bundled() or digest in _asked:
            # If it was asked for, nothing is compiled yet: this is the question of what compiles.
            found: LoadedPack = load(kind, pack_id, files)
            return found
        _asked.add(digest)
        _KNOWN[digest] = compiled.kept(pack_id, files)
        return _KNOWN[digest]

    return loaded
