"""
Crash reports: what failed in our own code, with nothing of the player's in it.

A report holds names of modules and functions, lines and types, and no value of anything: no text
of an exception, no locals, no path of anybody's folder, nothing that was typed or sent.
"""

import errno
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from client.keyring import private_files
from protocol.fault_report import fault_lines

STATUS_CRASHED = 70
"""The exit status after a fault of our own, as `EX_SOFTWARE` in sysexits.h."""
STATUS_HANGUP = 129
"""The exit status where the terminal has gone, as after the signal that says so."""
REPORTS_KEPT = 5
_GONE = frozenset({errno.EIO, errno.ENXIO, errno.EBADF, errno.EPIPE})
_PACKAGES = ("manse", "prompt_toolkit", "Twisted")


def is_terminal_gone(error: BaseException) -> bool:
    """Return whether this only says that there is no terminal any more: its window was closed."""
    return isinstance(error, OSError) and error.errno in _GONE


def write_report(folder: Path, error: BaseException, now: datetime) -> Path | None:
    """
    Write down where an exception was raised; the oldest reports are removed.

    Args:
        folder: the player's own.
        error: what was raised.
        now: in UTC.

    Returns:
        The file, for its owner alone; None where it cannot be written.
    """
    path = folder / f"crash-{now:%Y%m%dT%H%M%SZ}.txt"
    try:
        report = "".join(f"{line}\n" for line in report_lines(error, now))
        private_files.replace(path, report.encode("utf-8"))
        for old in sorted(folder.glob("crash-*.txt"))[:-REPORTS_KEPT]:
            old.unlink()
    except OSError:
        return None
    return path


def report_lines(error: BaseException, now: datetime) -> Iterator[str]:
    """Yield what is to be known about an exception, and about what it was raised in."""
    yield f"Manse, {now:%Y-%m-%d %H:%M:%S} UTC"
    yield "This file says where Manse failed. It holds nothing of the game and nothing you typed."
    yield ""
    for package in _PACKAGES:
        yield f"{package} {_version(package)}"
    yield f"Python {platform.python_version()} on {platform.platform()}"
    yield f"terminal {os.environ.get('TERM', '')[:40]!r}, {_size()}"
    yield ""
    yield from fault_lines(error, error.__traceback__)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _size() -> str:
    size = shutil.get_terminal_size((0, 0))
    encoding = getattr(sys.stdout, "encoding", None)
    return f"{size.columns}x{size.lines}, {encoding or 'no encoding'}"
