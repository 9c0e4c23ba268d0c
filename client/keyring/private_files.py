"""
Writes files that only their owner may read.

Other users can never read such a file, not even while it is written. No file is ever left
incomplete. Two windows of one player may change the same file, so a change takes the file's lock,
reads the file, and replaces it.
"""

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on every platform
    fcntl = None  # type: ignore[assignment]

FOLDER_MODE = 0o700
_FILE_MODE = 0o600

# The server has a copy of this: client and server share no code with I/O.


def draft(path: Path, content: bytes) -> Path:
    """
    Write and sync a temporary file beside `path`, which it later replaces; return its path.

    Raises:
        OSError: the file cannot be written, and no part of it remains.
    """
    path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    made = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    # O_EXCL: a file that somebody else has put there must not receive a secret.
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            # Before the rename, or a power cut could leave the new name with no content.
            os.fsync(file.fileno())
    except OSError:
        made.unlink(missing_ok=True)
        raise
    return made


def replace(path: Path, content: bytes) -> None:
    """
    Replace the content of a file atomically. If `path` is a link, replace the file behind the link.

    Raises:
        OSError: the file cannot be written; its old content is unchanged.
    """
    # The draft must be on the file system of the real file, where a rename is atomic.
    target = Path(os.path.realpath(path))
    made = draft(target, content)
    try:
        made.replace(target)
    except OSError:
        made.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """
    Hold the lock of a file, so that no other window of the player changes the file meanwhile.

    The lock is a separate file beside `path`, since `replace` replaces the file itself. If the file
    system or platform has no locks, nothing is locked. Not reentrant.

    Raises:
        OSError: the lock file cannot be created.
    """
    target = Path(os.path.realpath(path))
    target.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    handle = os.open(target.with_name(f".{target.name}.lock"), os.O_RDWR | os.O_CREAT, _FILE_MODE)
    try:
        if fcntl is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        # Closing releases the lock, as does the end of the process.
        os.close(handle)


def write_new(path: str | Path, text: str) -> None:
    """Write a text to a file that must not exist yet; `~` stands for the home folder.

    Raises:
        FileExistsError: the file exists; nothing is overwritten.
        OSError: the file cannot be written; no incomplete file remains.
    """
    place = os.path.expanduser(path)  # noqa: PTH111 (which raises nothing for a home unknown)
    made = os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE_MODE)
    try:
        with os.fdopen(made, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError:
        Path(place).unlink(missing_ok=True)
        raise
