"""
The log of operators' acts: one line of JSON each, in a file that only grows.

The log is a file beside the database, not a table inside it: users who may read the server's folder
can read the file with any tool while the server runs, and no command of ours changes it. A line is
on the disk before its act is carried out. Lines have names, fingerprints, addresses and reasons as
they were typed, never a password or the code of an invitation.
"""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import attrs

FILE_NAME: Final = "admin.log"
_MODE: Final = 0o600


@attrs.frozen
class ActLog:
    """The log file, to which acts are appended."""

    path: Path
    now: Callable[[], int]
    """Wall clock, in milliseconds since 1970."""

    def note(self, user: int, act: str, details: Mapping[str, object]) -> None:
        """
        Append an act that is about to be carried out, or the outcome of an act.

        Args:
            user: id of the operator in the operating system.
            act: tag of the act.
            details: target and reason of the act.

        Raises:
            OSError: the line could not be written.
        """
        told = {"time": self.now(), "user": user, "act": act, **details}
        # Escapes keep a line one line, whatever somebody typed.
        line = json.dumps(told, ensure_ascii=True).encode() + b"\n"
        is_new = not self.path.exists()
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _MODE)
        try:
            if os.write(handle, line) != len(line):
                raise OSError("a line could not be written whole")
            # Durable before the act: after a power cut no act may lack its line.
            os.fsync(handle)
        finally:
            os.close(handle)
        # The name of a new file is durable only once its folder is synced.
        if is_new:
            _sync_folder(self.path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
