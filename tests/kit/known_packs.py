"""
Packs that are read once per process, by whatever asks for them: bundled and compiled ones.

Reading one from YAML takes about a second, and many tools read every bundled pack each time. So a
bundled one is read from YAML once, and unpickled in all other processes.
Packs are frozen. Files that differ in one byte from the bundled ones are read as ever, and so is
what goes round the plug of a game, such as the tests of a loader.
"""

import functools
import hashlib
from collections.abc import Mapping
from typing import Any, Final

from content.language import loader
from content.plugs import packs
from content.plugs.kind import LoadedPack, kind_of
from content.reading import words, yaml_subset
from content.reading.files import digest_of
from protocol.plugs import games
from server.packs import compiled
from tests.kit.compiled import kept

_KNOWN: Final[dict[bytes, LoadedPack]] = {}
"""Bundled packs by the hash of their files."""
_COMPILED: Final[dict[bytes, LoadedPack | None]] = {}
"""What was read from compiled packs, by the hash of their bytes."""


def remember_compiled() -> None:
    """Keep what was read of a compiled pack; to be called before others import the reader."""
    compiled.unpickled = _remembering_bytes(compiled.unpickled)


def remember_files() -> None:
    """Keep the nodes of each YAML file.

    Tests that change one file of a pack would otherwise parse all its other files again.
    """
    read = functools.lru_cache(maxsize=1024)(yaml_subset.read_yaml)
    readers: tuple[Any, ...] = (yaml_subset, words, loader)
    for module in readers:
        module.read_yaml = read


def remember() -> None:
    """Let the plug of each installed game keep its bundled pack once it has read it."""
    for game in packs.games_with_base(games()):
        plug: Any = type(kind_of(game))
        if not hasattr(plug.load, "__wrapped__"):
            plug.load = _remembering(plug.load, game)


def _remembering_bytes(read: Any) -> Any:
    @functools.wraps(read)
    def found(body: bytes) -> LoadedPack | None:
        digest = hashlib.sha256(body).digest()
        if digest not in _COMPILED:
            _COMPILED[digest] = read(body)
        return _COMPILED[digest]

    return found


def _remembering(load: Any, game: str) -> Any:
    @functools.cache
    def bundled() -> bytes:
        return digest_of(packs.base_files(game))

    compiling: list[str] = []

    @functools.wraps(load)
    def loaded(kind: Any, pack_id: str, files: Mapping[str, bytes]) -> LoadedPack:
        digest = digest_of(files) if pack_id == kind.base else b""
        if digest != bundled() or compiling:
            found: LoadedPack = load(kind, pack_id, files)
            return found
        if digest not in _KNOWN:
            # The cache asks for a pack that it lacks here again.
            compiling.append(pack_id)
            try:
                # All workers begin with the same packs: one compiles, and the others wait.
                _KNOWN[digest] = kept(pack_id, files)
            finally:
                compiling.clear()
        return _KNOWN[digest]

    return loaded
