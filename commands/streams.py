"""
The standard streams of a command, through which all its output goes to the system.

Within `standard_streams` every write to `sys.stdout` and `sys.stderr` succeeds in any encoding
(`commands.signs`). A failed write of standard output raises OutputLost, which no command catches.
If standard error cannot be written, its text is dropped, because nobody could read it.
"""

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from typing import Any, Final

from commands.signs import SIGNS

STATUS_OUTPUT_LOST: Final = 74
"""Exit status if the output cannot be written, `EX_IOERR` of sysexits.h."""
STATUS_HANGUP: Final = 129
"""Exit status if the terminal is gone, as after SIGHUP."""
STATUS_BROKEN_PIPE: Final = 141
"""Exit status if the reader of the output is gone, as after SIGPIPE."""


class OutputLost(Exception):
    """
    Standard output cannot be written.

    This is not an OSError, because a command that catches OSErrors would go on.
    """

    def __init__(self, error: OSError, *, is_terminal: bool) -> None:
        super().__init__(str(error))
        self.error = error
        self._is_terminal = is_terminal

    @property
    def status(self) -> int:
        if self.error.errno == errno.EPIPE:
            return STATUS_BROKEN_PIPE
        return STATUS_HANGUP if self._is_terminal else STATUS_OUTPUT_LOST


@contextlib.contextmanager
def standard_streams() -> Iterator[None]:
    """While the context is open, make the standard streams behave as this module promises."""
    _open_missing()
    before = sys.stdin, sys.stdout, sys.stderr
    # Typed or piped text may be in another encoding than the environment names.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    sys.stdout = _guarded(sys.stdout, is_needed=True)
    sys.stderr = _guarded(sys.stderr, is_needed=False)
    try:
        yield
    finally:
        with contextlib.suppress(OutputLost, ValueError):
            sys.stdout.flush()
        with contextlib.suppress(ValueError):
            sys.stderr.flush()
        sys.stdin, sys.stdout, sys.stderr = before


def write_document(text: str) -> None:
    """Write a document to standard output: as UTF-8, except on a terminal."""
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None or sys.stdout.isatty():
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    binary.write(text.encode("utf-8", SIGNS))


def _open_missing() -> None:
    """Open closed standard streams on the null device; no other file then gets their numbers."""
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number, which is this one.
            os.open(os.devnull, os.O_RDWR)
    reading: Any = sys.stdin
    sys.stdin = reading or open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 (never closed)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 (the same)


def _guarded(stream: Any, *, is_needed: bool) -> Any:
    """Return a standard stream, wrapped as this module promises; unchanged if it has no file."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    # What was written so far comes first: the new wrapper has a buffer of its own.
    with contextlib.suppress(OSError):
        stream.flush()
    buffer: Any = stream.buffer
    return io.TextIOWrapper(
        io.BufferedWriter(_Output(getattr(buffer, "raw", buffer), is_needed=is_needed)),
        encoding=stream.encoding,
        errors=SIGNS,
        line_buffering=stream.line_buffering or stream.write_through,
    )


class _Output(io.RawIOBase):
    """The writer to the file of a standard stream. Closing this object leaves the file open."""

    def __init__(self, raw: Any, *, is_needed: bool) -> None:
        self._raw = raw
        self._is_needed = is_needed
        # Asked now: a terminal that is gone no longer says that it was one.
        self._is_terminal = bool(raw.isatty())
        self._is_lost = False
        """True after OutputLost; the rest is dropped, so that the command can clean up."""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        number: int = self._raw.fileno()
        return number

    def isatty(self) -> bool:
        return self._is_terminal

    def write(self, data: Any) -> int:
        if self._is_lost:
            return len(data)
        try:
            while (written := self._raw.write(data)) is None:
                # Another program that shares the terminal has made it non-blocking.
                os.set_blocking(self.fileno(), True)
        except OSError as error:
            # Nobody could read the report of this fault either.
            if not self._is_needed:
                return len(data)
            self._is_lost = True
            raise OutputLost(error, is_terminal=self._is_terminal) from error
        return int(written)
