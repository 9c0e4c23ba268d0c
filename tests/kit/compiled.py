"""
Packs that are compiled once, for servers started by tests and for tests themselves.

The compiled packs stay from run to run, until their files or the program that reads them change.
"""

import fcntl
import functools
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from content.plugs import packs
from content.plugs.kind import LoadedPack
from content.reading.files import digest_of
from server.packs.compiled import CompiledPacks

FOLDER: Final = Path(__file__).parents[2] / ".pytest_cache" / "packs"
"""One folder for all processes of all runs; `CompiledPacks` checks its content."""

_loaded: dict[tuple[str, bytes], LoadedPack] = {}


@functools.cache
def _shared() -> Path:
    FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    return FOLDER


_held: list[None] = []
"""Has an item while this process holds the lock: a pack may need another one below it."""


@contextmanager
def _alone() -> Iterator[None]:
    """Hold a lock so that no two processes of a run compile the same pack."""
    if _held:
        yield
        return
    with _shared().with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _held.append(None)
        try:
            yield
        finally:
            _held.clear()


def with_packs(home: Path) -> Path:
    """Link a home to the shared compiled packs, and return the home."""
    cache = home / "cache"
    if not cache.exists():
        cache.symlink_to(_shared(), target_is_directory=True)
    return home


def with_copies(home: Path) -> Path:
    """Copy the compiled bundled packs into a home, for a test to change; return the home."""
    (home / "cache").mkdir(mode=0o700)
    for kind, files in packs.base_packs():
        kept(kind.base, files)
        path = CompiledPacks(_shared())._path(kind.base, files)
        assert path is not None
        shutil.copy2(path, home / "cache")
    return home


def kept(pack_id: str, files: Mapping[str, bytes]) -> LoadedPack:
    """Load a valid pack through the cache that the servers of tests use."""
    with _alone():
        return CompiledPacks(_shared()).load(pack_id, files)


def loaded(pack_id: str, files: Mapping[str, bytes]) -> LoadedPack:
    """Load a pack once per process and return it."""
    key = (pack_id, digest_of(files))
    if key not in _loaded:
        _loaded[key] = packs.load(pack_id, files)
    return _loaded[key]
