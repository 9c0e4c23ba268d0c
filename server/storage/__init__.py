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
    StoreUnwritable,
)
from server.storage.store import Item, LogEnd, RoomInfo, Store

__all__ = [
    "BatchTooLarge",
    "Item",
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
    "StoreLocked",
    "StoreUnwritable",
]
