"""
The cache folder: one file for each table, player, server and language.

File names are hashes and reveal nothing about the table. Old files are removed. If the remaining
files take too much space, the oldest of them are removed too.
"""

import contextlib
import hashlib
import time
from pathlib import Path

import attrs

from client.cache.table_file import TableFile
from protocol import codec

FOLDER = "tables"
MOST_BYTES = 64 << 20
"""The maximum total size of all files, in bytes."""
MOST_DAYS = 60
"""The age in days at which a file is removed, since the last write."""
_SUFFIX = ".table"
_FOLDER_MODE = 0o700
_DAY_SECONDS = 24 * 60 * 60


@attrs.frozen
class TableCache:
    """The cache files of one player."""

    folder: Path
    key: bytes

    def open(self, server: str, room_id: str, language: str) -> TableFile:
        """
        Open the file of a table.

        Args:
            server: the server's fingerprint.
            room_id: the id of the table.
            language: the language of the words in the file.

        Raises:
            OSError: the file cannot be read or written, or another client has it open (`InUse`).
        """
        self.folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        about = codec.pack(("manse table file 1", server, self.key, room_id, language))
        # A hash, so that the name of the file reveals nothing of the table.
        name = hashlib.sha256(about).hexdigest()[:32] + _SUFFIX
        return TableFile.open(self.folder / name, room_id)

    def tidy(self) -> None:
        """Remove old files, and the oldest files beyond the maximum total size; never fail."""
        # Another client of this player may tidy at the same time, and remove a file first.
        with contextlib.suppress(OSError):
            kept, oldest = 0, time.time() - MOST_DAYS * _DAY_SECONDS
            files = [(path.stat(), path) for path in self.folder.glob(f"*{_SUFFIX}")]
            # Newest first, so that the oldest files are those beyond the maximum total.
            files.sort(key=lambda file: file[0].st_mtime, reverse=True)
            for stat, path in files:
                kept += stat.st_size
                if stat.st_mtime < oldest or kept > MOST_BYTES:
                    path.unlink(missing_ok=True)
