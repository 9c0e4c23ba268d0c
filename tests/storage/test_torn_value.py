"""Power cuts while a large value, such as a snapshot, is written."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from random import Random

import pytest

from server.storage import StorageError
from server.storage.sqlite import SqliteStore
from tests.kit.stores.disk import Disk
from tests.kit.stores.ordeal import PATH
from tests.kit.stores.powercut import Machine
from tests.kit.stores.stepped import Stepped

OLD, NEW = (Random(seed).randbytes(60_000) for seed in (1, 2))
LAST_CALL = 200
"""A number of changing calls that opening a store and putting a value never reaches."""


def put(stepped: Stepped, value: bytes) -> None:
    """Store a value and await the answer."""
    stepped.result(partial(SqliteStore.put, kind="snapshot", key="a", value=value))


def torn(seed: int, dies_at: int) -> tuple[bytes | None, bool]:
    """Lose power at a changing call; return what is stored, and whether it was acknowledged."""
    disk = Disk(Random(seed))
    first = Machine(disk)
    stepped = Stepped(PATH, vfs=first.name)
    put(stepped, OLD)
    stepped.close()
    second = Machine(disk, dies_at=dies_at, loses_power=True)
    is_promised = False
    with suppress(StorageError):
        stepped = Stepped(PATH, vfs=second.name)
        with suppress(StorageError):
            put(stepped, NEW)
            is_promised = True
        stepped.close()
    assert is_promised or second.is_dead
    third = Machine(disk)
    stepped = Stepped(PATH, vfs=third.name)
    found = stepped.result(partial(SqliteStore.get, kind="snapshot", key="a"))
    stepped.close()
    return found, is_promised


@pytest.mark.issue(12)
def test_value_is_the_old_or_the_new_one_wherever_power_is_lost() -> None:
    found = [torn(seed, at) for seed, at in enumerate(range(1, LAST_CALL, 5))]

    assert {value for value, _ in found} == {OLD, NEW}
    assert all(value == NEW for value, is_promised in found if is_promised)
    assert not all(is_promised for _, is_promised in found)
