"""Packs for workers in this process: pickled once for all houses, read once for all copies."""

import functools
from typing import Final

import pytest

from content.plugs.kind import LoadedPack
from server.packs.compiled import pickled, unpickled
from server.workers import child
from server.workers import pool as pools

_pickles: Final[dict[bytes, bytes]] = {}
_unpickled: Final = functools.cache(unpickled)


def _pickled(pack: LoadedPack) -> bytes:
    if pack.digest not in _pickles:
        _pickles[pack.digest] = pickled(pack)
    return _pickles[pack.digest]


@pytest.fixture(autouse=True)
def _packs_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game changes a pack, and each worker still has another one than its server."""
    monkeypatch.setattr(pools, "pickled", _pickled)
    monkeypatch.setattr(child, "unpickled", _unpickled)
