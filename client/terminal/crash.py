"""
Crash reports: the places in our code that failed, without any data of the player.

A report has names of modules and functions, line numbers and types, but no values: no text of an
exception, no locals, no path of a folder, nothing that was typed or sent.
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
"""Exit status after a bug, `EX_SOFTWARE` of sysexits.h."""
REPORTS_KEPT = 5
_GONE = frozenset({errno.EIO, errno.ENXIO, errno.EBADF, errno.EPIPE})
_PACKAGES = ("manse", "prompt_toolkit", "Twisted")


def is_terminal_gone(error: BaseException) -> bool:
    """Return whether an exception only means that the terminal's window was closed."""
    return isinstance(error, OSError) and error.errno in _GONE


def write_report(folder: Path, error: BaseException, now: datetime) -> Path | None:
    """
    Write a report of an exception, and remove the oldest reports.

    Args:
        folder: the folder of the player's files.
        error: the exception.
        now: the time in UTC.

    Returns:
        The private file; None if the file cannot be written.
    """
    path = folder / f"crash-{now:%Y%m%dT%H%M%SZ}.txt"
    try:
        report = "".join(f"{line}\n" for line in report_lines(error, now))
        private_files.replace(path, report.encode("utf-8"))
        # The names sort by time.
        for old in sorted(folder.glob("crash-*.txt"))[:-REPORTS_KEPT]:
            old.unlink()
    except OSError:
        return None
    return path


def report_lines(error: BaseException, now: datetime) -> Iterator[str]:
    """Yield the lines of a report: the exception, and the environment."""
    yield f"Manse, {now:%Y-%m-%d %H:%M:%S} UTC"
    yield "This file says where Manse failed. It holds nothing of the game and nothing you typed."
    yield ""
    for package in _PACKAGES:
        try:
            found = version(package)
        except PackageNotFoundError:
            found = "not installed"
        yield f"{package} {found}"
    yield f"Python {platform.python_version()} on {platform.platform()}"
    size, encoding = shutil.get_terminal_size((0, 0)), getattr(sys.stdout, "encoding", None)
    kind = os.environ.get("TERM", "")[:40]
    yield f"terminal {kind!r}, {size.columns}x{size.lines}, {encoding or 'no encoding'}"
    yield ""
    yield from fault_lines(error, error.__traceback__)
