"""
Crashes: what went wrong in our own code, told so that it can be mended.

A report holds names of modules and functions, lines and types, and no value of anything: no text
of an exception, no locals, no path of anybody's folder, nothing that was typed or sent.
"""

import errno
import os
import platform
import shutil
import sys
import traceback
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FrameType, TracebackType

from client.keyring import private_files

STATUS_CRASHED = 70
"""The exit status after a fault of our own, as `EX_SOFTWARE` in sysexits.h."""
STATUS_HANGUP = 129
"""The exit status where the terminal has gone, as after the signal that says so."""
REPORTS_KEPT = 5
MAX_FRAMES = 100
"""Of one traceback; of a longer one the middle is left out."""
MAX_CHAIN = 8
"""Exceptions that led to one another, of which the first so many are told."""
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


def fault_lines(error: BaseException, trace: TracebackType | None) -> Iterator[str]:
    """
    Yield what an exception and those that it followed from are, and where they were raised.

    Args:
        error: the latest.
        trace: its traceback, which somebody who caught it may have taken away.
    """
    for at, one in enumerate(_chain(error)):
        if at > 0:
            yield ""
        yield ("" if at == 0 else "which followed from ") + _name(one)
        yield from _frames(trace if at == 0 else one.__traceback__)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _size() -> str:
    size = shutil.get_terminal_size((0, 0))
    encoding = getattr(sys.stdout, "encoding", None)
    return f"{size.columns}x{size.lines}, {encoding or 'no encoding'}"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and those that it followed from, the latest first."""
    one: BaseException | None = error
    for _ in range(MAX_CHAIN):
        if one is None:
            return
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _name(error: BaseException) -> str:
    """Return what kind of exception it is. Its text may hold anything, so it is left out."""
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    code = errno.errorcode.get(error.errno or 0, "") if isinstance(error, OSError) else ""
    return f"{name} {code}".strip()


def _frames(trace: TracebackType | None) -> Iterator[str]:
    """Yield where it was raised: modules, not files, whose path may name a person."""
    lines = [
        f"  {_module(frame)}:{number} in {frame.f_code.co_name}"
        for frame, number in traceback.walk_tb(trace)
    ]
    half = MAX_FRAMES // 2
    if len(lines) > MAX_FRAMES:
        lines = [*lines[:half], f"  … {len(lines) - MAX_FRAMES} more …", *lines[-half:]]
    yield from lines


def _module(frame: FrameType) -> str:
    """Return the name of a module; of a frame that Twisted kept as text, that of its file."""
    return frame.f_globals.get("__name__") or Path(frame.f_code.co_filename).stem
