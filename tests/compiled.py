"""Compiled packs: the servers that tests start as programs share those of one run."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path


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
