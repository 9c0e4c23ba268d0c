"""
The version of a database file, read from its header alone.

SQLite does not open the file, so no lock is taken and nothing is changed, even while a server has
the file open. The write-ahead log is not read: a newly created file has version 0.
"""

from pathlib import Path
from typing import Final

from server.storage.errors import StoreForeign, StoreUnwritable
from server.storage.schema import checked_version

_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_VERSION: Final = slice(60, 64)
"""Bytes of `PRAGMA user_version` in the file header."""
_APPLICATION: Final = slice(68, 72)


def version_of_file(path: Path) -> int:
    """
    Return the schema version of a file; 0 if the file is missing or empty.

    Raises:
        StoreForeign: the file is another program's.
        StoreNewer: a newer version of this program wrote the file.
        StoreUnwritable: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise StoreUnwritable(
            f"the database {str(path)!r} cannot be read ({error.strerror})"
        ) from error
    # A power cut can leave zeros, which count as empty, as in `rewriting`.
    if not header.strip(b"\0"):
        return 0
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise StoreForeign(f"{str(path)!r} is no database of ours; name another file")
    version, application = (int.from_bytes(header[part]) for part in (_VERSION, _APPLICATION))
    return 0 if version == application == 0 else checked_version(str(path), application, version)
