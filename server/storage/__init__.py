"""Where the logs of rooms, and the few facts beside them, outlive the process."""

from server.storage.errors import (
    BatchTooLarge,
    LogDamaged,
    OutcomeUnknown,
    RevisionConflict,
    StorageError,
    StoreBroken,
    StoreBusy,
    StoreClosed,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreMoved,
    StoreNewer,
    StoreUnwritable,
)
from server.storage.store import LogEnd, RoomInfo, Store, StoreItem

__all__ = [
    "BatchTooLarge",
    "LogDamaged",
    "LogEnd",
    "OutcomeUnknown",
    "RevisionConflict",
    "RoomInfo",
    "StorageError",
    "Store",
    "StoreBroken",
    "StoreBusy",
    "StoreClosed",
    "StoreForeign",
    "StoreFull",
    "StoreItem",
    "StoreLocked",
    "StoreMoved",
    "StoreNewer",
    "StoreUnwritable",
]
