"""Secret files: made once, readable by their owner alone, never overwritten."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

_OTHERS = 0o077


class UnusableFile(Exception):
    """A secret file that must not or cannot be used; the message says what to do."""

    def __init__(self, reason: str, kind: str, *params: object) -> None:
        """
        Describe the fault.

        Args:
            reason: a sentence in English.
            kind: the kind of fault, for which the command line has its own words.
            params: parameters of these words; an OSError is put into words of its own.
        """
        super().__init__(reason)
        self.kind = kind
        self.params = params


def read_or_make(path: Path, make: Callable[[], bytes]) -> bytes:
    """
    Read a secret file, created if missing.

    The content appears under its name whole or not at all. If two processes create the file at
    once, both read the content of the first.

    Args:
        path: the file; its folder is created if missing, for the owner alone.
        make: returns the content; called only if there is no file.

    Raises:
        UnusableFile: others may read the file, or the disk refuses.
    """
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_once(path, make())
        return read_secret(path)
    except OSError as error:
        raise UnusableFile(
            f"{path} cannot be read or written: {error.strerror or error}. "
            "Give --folder one that you may write to.",
            *("folder", path, error),
        ) from error


def read_secret(path: Path) -> bytes:
    """Read a file that only its owner may read. UnusableFile: others may read it."""
    # On other systems these bits do not say who may read a file.
    if os.name == "posix" and path.stat().st_mode & _OTHERS:
        raise UnusableFile(f"{path} can be read by others; run: chmod 600 {path}", "readable", path)
    return path.read_bytes()


def _write_once(path: Path, content: bytes) -> None:
    # A draft gets the name only when it is complete: nobody reads half a key.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            # Durable before it has its name: after a power cut a file that exists is whole.
            os.fsync(file.fileno())
        try:
            # A link fails if the name exists; a rename would overwrite another process's file.
            path.hardlink_to(draft)
        except FileExistsError:
            return
        _sync_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
