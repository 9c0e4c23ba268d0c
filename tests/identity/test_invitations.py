"""Invitations: a code opens a table, and reading the store reveals no code."""

import itertools
from typing import TypeVar

import pytest
from twisted.internet.defer import Deferred

from protocol import codec
from server.identity.invitations import KIND, InvitationKind, Invitations, InvitationTarget
from server.storage.errors import StorageError
from tests.kit.stores.memory import MemoryStore

T = TypeVar("T")

SEAT = InvitationTarget("room", InvitationKind.SEAT, 2)
ANY = InvitationTarget("room", InvitationKind.ANY_SEAT)
WATCH = InvitationTarget("other", InvitationKind.WATCH)


def result(deferred: Deferred[T]) -> T:
    """Return the result of a Deferred that has fired, or raise its failure."""
    found: list[T] = []
    failed: list[BaseException] = []
    _ = deferred.addCallbacks(found.append, lambda failure: failed.append(failure.value))
    if failed:
        raise failed[0]
    return found[0]


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def invitations(store: MemoryStore) -> Invitations:
    numbers = itertools.count(1)
    return Invitations(store, lambda length: next(numbers).to_bytes(length, "big"))


@pytest.mark.parametrize("target", [SEAT, ANY, WATCH])
def test_a_code_leads_where_it_was_made_for(
    invitations: Invitations, target: InvitationTarget
) -> None:
    code = result(invitations.make(target))

    assert result(invitations.find(code)) == target
    assert result(invitations.find(code.upper().replace("-", ""))) == target


@pytest.mark.parametrize("code", ["", "nonsense", "0000-0000-0000-0000", "x" * 5000])
def test_any_other_code_leads_nowhere(invitations: Invitations, code: str) -> None:
    """A stranger must not learn whether a code is wrong or unreadable."""
    result(invitations.make(SEAT))

    assert result(invitations.find(code)) is None


def test_the_store_holds_no_code(invitations: Invitations, store: MemoryStore) -> None:
    code = result(invitations.make(SEAT))

    for key, value in result(store.scan(KIND)):
        for form in (code, code.replace("-", "")):
            assert form not in key
            assert form.encode() not in value


def test_half_a_hash_is_not_enough(invitations: Invitations, store: MemoryStore) -> None:
    """The whole hash is compared, not only the half that is the store's key."""
    code = result(invitations.make(SEAT))
    [(key, value)] = result(store.scan(KIND))
    digest, target = codec.decode(value, tuple[bytes, InvitationTarget])
    result(
        store.put(
            KIND,
            key,
            codec.encode(
                (digest[:-1] + bytes([digest[-1] ^ 1]), target), tuple[bytes, InvitationTarget]
            ),
        )
    )

    assert result(invitations.find(code)) is None


def test_a_revoked_code_leads_nowhere(invitations: Invitations) -> None:
    code, other = (result(invitations.make(target)) for target in (SEAT, ANY))

    for spent in (code, code, "nonsense"):
        result(invitations.revoke(spent))

    assert result(invitations.find(code)) is None
    assert result(invitations.find(other)) == ANY


def test_all_codes_of_a_room_can_be_revoked(invitations: Invitations) -> None:
    codes = [result(invitations.make(target)) for target in (SEAT, ANY, WATCH)]

    assert result(invitations.revoke_all("room")) == 2
    assert [result(invitations.find(code)) for code in codes] == [None, None, WATCH]


def test_a_damaged_entry_opens_nothing(invitations: Invitations, store: MemoryStore) -> None:
    code = result(invitations.make(SEAT))
    [(key, _)] = result(store.scan(KIND))
    result(store.put(KIND, key, b"\xc1"))

    assert result(invitations.find(code)) is None
    assert result(invitations.revoke_all("room")) == 0


def test_a_code_that_was_not_stored_is_not_given_out(
    invitations: Invitations, store: MemoryStore
) -> None:
    store.fail_with = StorageError("the disk is full")

    with pytest.raises(StorageError):
        result(invitations.make(SEAT))
