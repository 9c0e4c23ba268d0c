"""
The log of errors that Twisted reports while a client runs, because the screen cannot show them.

Like a crash report, an entry has the type of an exception and the lines that raised it. The message
of the exception is omitted, because it may quote anything that was sent or typed.
"""

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from protocol.fault_report import fault_lines

LOG_FILE = "client.log"
"""The name of the private file in the player's folder."""
MAX_LOG_BYTES = 1 << 20


def begin_logging(path: Path | None) -> None:
    """
    Log errors to a file, because on a terminal they would disturb the screen.

    Args:
        path: the file, to which entries are appended; None for no log.
    """
    from twisted.logger import (  # noqa: PLC0415 (before a reactor is chosen nothing needs it)
        FileLogObserver,
        FilteringLogObserver,
        LogLevel,
        LogLevelFilterPredicate,
        globalLogBeginner,
    )

    observers: list[Any] = []
    file: Any = None
    if path is not None:
        # A log that cannot be written must not prevent playing.
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # The log is for the latest errors, and must not grow for ever.
            if path.exists() and path.stat().st_size > MAX_LOG_BYTES:
                path.unlink()
            path.touch(mode=0o600)
            file = path.open("a", encoding="utf-8")
    if file is not None:
        # Twisted's types do not declare that its observers and predicates match.
        predicate: Any = LogLevelFilterPredicate(defaultLogLevel=LogLevel.warn)
        to_file: Any = FileLogObserver(file, entry)
        observers.append(FilteringLogObserver(to_file, [predicate]))
    globalLogBeginner.beginLoggingTo(observers, redirectStandardIO=False)


def entry(event: Any) -> str:
    """Return the log entry of a Twisted event; an exception is logged without its message."""
    moment = datetime.fromtimestamp(event.get("log_time", 0), tz=UTC)
    head = f"{moment:%Y-%m-%d %H:%M:%S} {event.get('log_namespace') or '-'}"
    # Older parts of Twisted use another key.
    failure = event.get("log_failure") or event.get("failure")
    if failure is None:
        from twisted.logger import formatEvent  # noqa: PLC0415 (as above)

        return f"{head}: {formatEvent(event)}\n"
    lines = fault_lines(failure.value, failure.getTracebackObject())
    return "".join(f"{line}\n" for line in (head, *lines))
