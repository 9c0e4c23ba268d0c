"""
Checking: verifies a store page by page, value by value, log by log and game by game.

A check repairs nothing and reveals no secret: a fault names a room, an event and a kind.
"""

import contextlib
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path

import apsw
import attrs

from protocol.keys import fingerprint_text
from server.identity import identity, pairing
from server.identity.files import UnusableFile
from server.kernel.errors import Refused
from server.lobby.rooms.loading import RoomLoader, UnreadableRoom
from server.lobby.rooms.snapshots import Snapshots
from server.packs.compiled import CompiledPacks
from server.packs.shelf import PackShelf
from server.storage import LogDamaged, StorageError, ValueDamaged, schema
from server.storage.backups import MANIFEST, damaged_files, open_unchanging, read_manifest
from server.storage.database import FILE_NAME as DATABASE
from server.storage.database import Database, open_database
from server.storage.sqlite import SqliteStore, StoreLimits
from server.storage.worker import InlineWorker
from server.upkeep.opened import call, result_of
from server.upkeep.rooms import surroundings_of
from server.upkeep.saving import fingerprint_of

RECORDS_AT_ONCE = 256
_MOST_PAGE_FAULTS = 100


@attrs.frozen
class Fault:
    """A part of the store that is damaged, missing or unreadable."""

    kind: str
    """Kind of fault, which selects the command's words."""
    room: str = ""
    event: int | None = None
    detail: str = ""
    """Explanation in English, or SQLite's own message."""


@attrs.define
class Report:
    """Faults found by a check, and the amounts that were checked."""

    schema: int = 0
    rooms: int = 0
    events: int = 0
    unplayed: list[str] = attrs.field(factory=list)
    """Rooms with a sound log that today's rules cannot continue."""
    is_alone: bool = False
    """True if write-ahead log and mark were both gone, so the last commits may be missing."""
    faults: list[Fault] = attrs.field(factory=list)


def check(folder: Path, compiled: CompiledPacks) -> Report:
    """
    Check a backup, or the folder of a stopped server.

    Raises:
        UnusableFile: the folder has no database.
        BackupUnreadable: the manifest of the backup cannot be read.
        StorageError: the database cannot be opened.
    """
    report = Report()
    if not (folder / DATABASE).exists():
        raise UnusableFile(f"{folder} has no database", "no_store", folder)
    if (folder / MANIFEST).exists():
        manifest = read_manifest(folder)
        damaged = damaged_files(folder, manifest)
        report.faults += [Fault("file", detail=path.name) for path in damaged]
        database = Database(open_unchanging(folder / DATABASE))
    else:
        database = open_database(folder / DATABASE, keeps_schema=True)
    store = SqliteStore(database, call, InlineWorker(), StoreLimits())
    try:
        _check_database(database, store, folder, compiled, report)
    finally:
        with contextlib.suppress(StorageError):
            result_of(store.close())
    return report


def _check_database(
    database: Database, store: SqliteStore, folder: Path, compiled: CompiledPacks, report: Report
) -> None:
    report.schema = database.read(schema.version_of)
    report.is_alone = database.was_alone
    report.faults += database.read(_page_faults)
    if report.schema < schema.SCHEMA_VERSION:
        # Logs of that version have no stored heads to compare with.
        return
    try:
        rooms = database.read(_rooms)
    except StorageError as error:
        report.faults.append(Fault("rooms", detail=str(error)))
        return
    report.faults += _value_faults(database, rooms)
    report.faults += _identity_faults(store, folder)
    sound = [room_id for room_id in rooms if _is_sound(database, room_id, report)]
    around = surroundings_of(store, compiled)
    assert isinstance(around.shelf, PackShelf)
    report.faults += [Fault("pack", detail=digest) for digest in around.shelf.damaged]
    loader = RoomLoader(around, Snapshots(around))
    for room_id in sound:
        try:
            room = result_of(loader.load_whole(room_id))
        except UnreadableRoom as error:
            # Only the type: the message might quote a secret value.
            detail = type(error.__cause__).__name__
            report.faults.append(Fault("game", room_id, detail=detail))
        except StorageError as error:
            report.faults.append(Fault("log", room_id, detail=str(error)))
        except Refused:
            # Its id is damaged, so it cannot be found by it.
            report.faults.append(Fault("log", room_id, 0, "nothing can be found by this id"))
        else:
            if room.halted is not None:
                report.unplayed.append(room_id)


def _page_faults(connection: apsw.Connection) -> list[Fault]:
    try:
        rows = connection.execute(f"PRAGMA integrity_check({_MOST_PAGE_FAULTS})")
        return [Fault("pages", detail=line) for (line,) in rows if line != "ok"]
    except apsw.Error as error:
        return [Fault("pages", detail=f"{type(error).__name__}: {error}")]


def _rooms(connection: apsw.Connection) -> list[str]:
    """Return the ids of all rooms that have a stored head or a record."""
    rows = connection.execute(
        "SELECT CAST(room AS BLOB) FROM room UNION SELECT CAST(room AS BLOB) FROM record"
    )
    return sorted({schema.text_of(room_id) for (room_id,) in rows})


def _value_faults(database: Database, rooms: Collection[str]) -> Iterator[Fault]:
    """Yield a fault for each damaged value; a fault names the key only if it is a room's id."""
    try:
        damaged = database.read(schema.damaged_values)
    except StorageError as error:
        yield Fault("values", detail=str(error))
        return
    for kind, key in damaged:
        yield Fault("value", key if key in rooms else "", detail=kind)


def _identity_faults(store: SqliteStore, folder: Path) -> Iterator[Fault]:
    try:
        noted = result_of(store.get(pairing.KIND, pairing.KEY))
        own = fingerprint_of(folder / identity.FILE_NAME)
    except ValueDamaged:
        # Told with the other values.
        return
    except (UnusableFile, StorageError) as error:
        yield Fault("identity", detail=str(error))
        return
    if noted is not None and fingerprint_text(noted) != own:
        yield Fault("identity", detail=f"{fingerprint_text(noted)} is noted, and there is {own}")


def _is_sound(database: Database, room_id: str, report: Report) -> bool:
    """
    Verify the hash chain of a log in parts; add faults to the report.

    Returns True without any.
    """
    at, count = 0, RECORDS_AT_ONCE
    report.rooms += 1
    try:
        while count == RECORDS_AT_ONCE:
            part = partial(schema.read, room_id=room_id, first=at, last=at + RECORDS_AT_ONCE)
            count = len(database.read(part))
            at += count
            report.events += count
    except LogDamaged as error:
        report.faults.append(Fault("log", room_id, error.sequence, error.reason))
    except StorageError as error:
        report.faults.append(Fault("log", room_id, at, str(error)))
    else:
        return True
    return False
