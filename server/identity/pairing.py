"""
Pairing: checks that the identity and the database in a server's folder belong together.

A server that lost its identity would make a new one, which no client trusts. A server that lost its
database would begin an empty one, and every game would silently be gone. Both are refused until the
operator confirms them. The database stores the fingerprint of its identity's public key.
"""

from pathlib import Path

from protocol.keys import SigningKey, fingerprint, fingerprint_text
from server.identity.files import UnusableFile
from server.identity.identity import FILE_NAME
from server.storage import Store

KIND, KEY = "server", "identity"
"""Namespace and key of the fingerprint in the store."""


def must_have_database(folder: Path, database: Path) -> None:
    """
    Refuse to begin a new database beside an identity; called before the database is opened.

    Raises:
        UnusableFile: there is an identity and no database.
    """
    if (folder / FILE_NAME).exists() and not database.exists():
        raise UnusableFile(
            f"{folder} has an identity and no database: put {database} back from a backup, or "
            "start with --new-database to begin without any games",
            *("no_database", folder, database),
        )


async def must_have_identity(folder: Path, store: Store) -> None:
    """
    Refuse a new identity beside a database with games; called before the identity is loaded.

    Raises:
        UnusableFile: there is no identity, but a database that has rooms or the fingerprint of an
            identity.
    """
    path = folder / FILE_NAME
    if path.exists():
        return
    if await store.get(KIND, KEY) is not None or await store.rooms():
        raise UnusableFile(
            f"{path} is missing, and the database beside it has games: put the file back from a "
            "backup, or start with --new-identity; then no client trusts this server until its "
            "player removes the old one",
            *("no_identity", path),
        )


async def pair(folder: Path, store: Store, identity: SigningKey, *, is_new: bool) -> None:
    """
    Store the identity's fingerprint in the database; refuse the database of another identity.

    Args:
        folder: the folder of database and identity.
        store: the database.
        identity: the identity that was loaded.
        is_new: True if the operator allows the identity to change.

    Raises:
        UnusableFile: the database belongs to another identity, and `is_new` is False.
    """
    ours = fingerprint(identity.public)
    noted = await store.get(KIND, KEY)
    if noted is not None and noted != ours and not is_new:
        raise UnusableFile(
            f"the database in {folder} belongs to the identity {fingerprint_text(noted)}, and "
            f"{FILE_NAME} is {fingerprint_text(ours)}: put the right file back from a backup, or "
            "start with --new-identity",
            *("other_identity", folder, fingerprint_text(noted), fingerprint_text(ours)),
        )
    if noted != ours:
        await store.put(KIND, KEY, ours)
