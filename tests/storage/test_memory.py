"""The store in memory keeps the contract, and fails when a test wants it to."""

from __future__ import annotations

from pathlib import Path

import pytest
from typing_extensions import override

from server.storage import Store, StoreFull
from tests.kit.stores.contract import StoreContract, records
from tests.kit.stores.memory import MemoryStore
from tests.kit.stores.waiting import Inbox


class TestMemoryStore(StoreContract):
    """The contract's tests of the store in memory."""

    @override
    def create_store(self, folder: Path, inbox: Inbox) -> Store:
        return MemoryStore()


def test_answers_have_fired_already() -> None:
    """Tests of other parts rely on this, and wait for nothing."""
    store = MemoryStore()

    assert store.append("a", 0, records("1")).called
    assert store.read("a").called


def test_planted_failure_refuses_and_changes_nothing() -> None:
    store, inbox = MemoryStore(), Inbox()
    inbox.wait(store.append("a", 0, records("1")))

    store.fail_with = StoreFull("planted")
    with pytest.raises(StoreFull):
        inbox.wait(store.append("a", 1, records("2")))
    store.fail_with = None

    assert inbox.wait(store.read("a")) == records("1")
    inbox.wait(store.append("a", 1, records("3")))
