"""Backups of a server: its database, its identity, its certificate."""

import datetime as dt
from functools import partial
from importlib.metadata import version
from pathlib import Path

from twisted.internet.defer import Deferred

from protocol.keys import SigningKey, UnreadableKey, fingerprint, fingerprint_text
from server.identity import certificate, identity
from server.identity.files import UnusableFile, read_secret
from server.storage.backups import Manifest, backing_up
from server.storage.copying import Progress, no_progress
from server.storage.database import FILE_NAME
from server.storage.sqlite import SqliteStore


def back_up(
    store: SqliteStore, folder: Path, target: Path, progress: Progress = no_progress
) -> Deferred[Manifest]:
    """
    Write a backup of a server. The server may be running: games go on meanwhile.

    Args:
        store: the server's store.
        folder: the server's folder, with the identity.
        target: folder of the backup, which must not exist yet.
        progress: called with the bytes copied so far, in the thread of the store.

    Returns:
        Fires with the manifest once the backup is durable. Fails with `TargetExists`,
        `DiskTooFull`, or another `StorageError`; the unfinished backup is then removed.

    Raises:
        UnusableFile: there is no identity, or other users can read its file.
    """
    own = folder / identity.FILE_NAME
    about = {
        "release": version("manse"),
        "made_at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "identity": fingerprint_of(own),
    }
    files = [own]
    if (folder / certificate.FILE_NAME).exists():
        files.append(folder / certificate.FILE_NAME)
    make = partial(
        backing_up,
        target=target,
        database=FILE_NAME,
        files=files,
        about=about,
        progress=progress,
    )
    return store.in_steps(make)


def fingerprint_of(path: Path) -> str:
    """Return the fingerprint of the identity in a file. UnusableFile as `identity_in`."""
    return fingerprint_text(fingerprint(identity_in(path).public))


def identity_in(path: Path) -> SigningKey:
    """Return the identity in a file. UnusableFile: it is missing, or other users can read it."""
    try:
        return SigningKey.from_pem(read_secret(path))
    except OSError as error:
        raise UnusableFile(f"{path}: {error.strerror}", "unreadable", path, error) from error
    except UnreadableKey as error:
        raise UnusableFile(f"{path}: {error}", "identity", path) from error
