"""Packs that are read once in a run: by the servers that tests start, and by shelves in tests."""

import atexit
import functools
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from content.plugs import packs
from content.plugs.kind import LoadedPack
from content.reading.files import digest_of

_loaded: dict[tuple[str, bytes], LoadedPack] = {}


@functools.cache
def _shared() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="manse-compiled-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def with_packs(home: Path) -> Path:
    """Let a home have the packs that a server of this run has compiled already; return it."""
    cache = home / "cache"
    if not cache.exists():
        cache.symlink_to(_shared(), target_is_directory=True)
    return home


def loaded(pack_id: str, files: Mapping[str, bytes]) -> LoadedPack:
    """Load a pack, each once in this process; see `PackShelf.load_files`."""
    key = (pack_id, digest_of(files))
    if key not in _loaded:
        _loaded[key] = packs.load(pack_id, files)
    return _loaded[key]
