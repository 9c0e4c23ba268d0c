"""Every error of the driver becomes one of ours, in one place."""

from __future__ import annotations

import apsw
import pytest

from server import storage
from server.storage.driver_errors import PAIRS, as_storage_error, storage_errors
from server.storage.errors import StorageError, StoreBroken

EXPECTED: dict[str, type[StorageError]] = {
    "AbortError": StoreBroken,
    "AuthError": storage.StoreUnwritable,
    "BindingsError": StoreBroken,
    "BusyError": storage.StoreLocked,
    "CantOpenError": storage.StoreUnwritable,
    "ConnectionClosedError": storage.StoreClosed,
    "ConnectionNotClosedError": StoreBroken,
    "ConstraintError": StoreBroken,
    "CorruptError": StoreBroken,
    "CursorClosedError": StoreBroken,
    "EmptyError": StoreBroken,
    "Error": StoreBroken,
    "ExecTraceAbort": StoreBroken,
    "ExecutionCompleteError": StoreBroken,
    "ExtensionLoadingError": StoreBroken,
    "ForkingViolationError": StoreBroken,
    "FormatError": storage.StoreForeign,
    "FullError": storage.StoreFull,
    "IOError": StoreBroken,
    "IncompleteExecutionError": StoreBroken,
    "InternalError": StoreBroken,
    "InterruptError": StoreBroken,
    "InvalidContextError": StoreBroken,
    "LockedError": storage.StoreLocked,
    "MismatchError": StoreBroken,
    "MisuseError": StoreBroken,
    "NoFTS5Error": StoreBroken,
    "NoLFSError": storage.StoreUnwritable,
    "NoMemError": storage.StoreOutOfMemory,
    "NotADBError": storage.StoreForeign,
    "NotFoundError": StoreBroken,
    "PermissionsError": storage.StoreUnwritable,
    "ProtocolError": storage.StoreLocked,
    "RangeError": StoreBroken,
    "ReadOnlyError": storage.StoreUnwritable,
    "SQLError": StoreBroken,
    "SchemaChangeError": StoreBroken,
    "ThreadingViolationError": StoreBroken,
    "TooBigError": storage.BatchTooLarge,
    "VFSFileClosedError": StoreBroken,
    "VFSNotImplementedError": StoreBroken,
}


def driver_errors() -> dict[str, type[apsw.Error]]:
    """Return every error class of the driver, by name."""
    return {
        name: value
        for name, value in vars(apsw).items()
        if isinstance(value, type) and issubclass(value, apsw.Error)
    }


def test_every_driver_error_is_listed() -> None:
    """A new error of the driver needs a decision."""
    assert sorted(EXPECTED) == sorted(driver_errors())


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_driver_error_becomes_ours(name: str) -> None:
    original = driver_errors()[name]("what SQLite said")

    with pytest.raises(StorageError) as caught, storage_errors():
        raise original

    assert type(caught.value) is EXPECTED[name]
    assert caught.value.__cause__ is original
    assert "what SQLite said" in str(caught.value)


@pytest.mark.issue(37)
@pytest.mark.parametrize(
    "original", [apsw.exception_for(apsw.SQLITE_IOERR_NOMEM), MemoryError(), apsw.NoMemError()]
)
def test_no_memory_is_no_bad_disk(original: Exception) -> None:
    with pytest.raises(storage.StoreOutOfMemory), storage_errors():
        raise original

    assert "disk" not in str(as_storage_error(original))


def test_pairs_say_the_same() -> None:
    """The table in the code lists only errors that do not become `StoreBroken`."""
    listed = {error.__name__: ours for error, ours in PAIRS.items()}

    assert listed == {name: ours for name, ours in EXPECTED.items() if ours is not StoreBroken}


def test_our_own_errors_pass_as_they_are() -> None:
    conflict = storage.RevisionConflict("a", 1, 2)

    with pytest.raises(storage.RevisionConflict) as caught, storage_errors():
        raise conflict

    assert caught.value is conflict
    assert as_storage_error(conflict) is conflict


def test_each_caller_gets_an_error_of_its_own() -> None:
    original = apsw.IOError("disk")
    first = as_storage_error(original)

    second = as_storage_error(first)

    assert second is not first
    assert (type(second), second.__cause__) == (type(first), original)
