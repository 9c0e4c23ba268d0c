"""
The server's log: an entry for each event of Twisted's, on the standard error.

An entry cannot be forged: unprintable characters are escaped, and all lines of an entry but its
first are indented. For a fault it holds kinds and places in the program; the text of an exception
may name a hidden card or typed text, so it is left out.
"""

import json
from collections.abc import Iterator
from typing import IO, Any

import attrs
from twisted.logger import (
    FileLogObserver,
    FilteringLogObserver,
    PredicateResult,
    formatEvent,
    formatTime,
    globalLogBeginner,
)

from protocol.common.visible import visible
from protocol.fault_report import fault_lines


@attrs.define
class Log:
    """Level and format of the log, which can change; filters events as Twisted's predicate."""

    least: Any
    """Minimum level of written events."""
    as_json: bool = False
    """True if each entry is a line of JSON."""

    def __call__(self, event: Any) -> Any:
        """
        Accept or reject an event, as `ILogFilterPredicate` does.

        An event without a level is rejected. A notice is accepted even below the minimum level: it
        answers an operator's request.
        """
        level = event.get("log_level")
        is_written = level is not None and (level >= self.least or "notice" in event)
        return PredicateResult.maybe if is_written else PredicateResult.no

    def written(self, event: Any) -> str:
        """Return the entry of one event, in the chosen format."""
        return json_entry(event) if self.as_json else entry(event)


def begin_logging(file: IO[str], level: Any, *, as_json: bool = False) -> Log:
    """Log events of at least this level to a file; the returned `Log` can change both."""
    log = Log(level, as_json)
    # Twisted's own types do not say that its observers and predicates fit one another.
    predicate: Any = log
    to_file: Any = FileLogObserver(file, log.written)
    observer: Any = FilteringLogObserver(to_file, [predicate])
    globalLogBeginner.beginLoggingTo([observer], redirectStandardIO=False)
    return log


def entry(event: Any) -> str:
    """Return the entry of one event; all lines but the first are indented."""
    level = getattr(event.get("log_level"), "name", "-")
    source = event.get("log_namespace") or "-"
    head = f"{formatTime(event.get('log_time'))} [{source}#{level}] {formatEvent(event)}"
    first, *more = head.split("\n")
    below = (f"    {line}" for line in (*more, *_fault_of(event)))
    return "".join(f"{visible(line)}\n" for line in (first, *below))


def json_entry(event: Any) -> str:
    """Return one event as a line of JSON, with unprintable characters escaped."""
    told = {
        "time": formatTime(event.get("log_time")),
        "level": getattr(event.get("log_level"), "name", "-"),
        "source": event.get("log_namespace") or "-",
        "message": formatEvent(event),
    }
    fault = list(_fault_of(event))
    return json.dumps(told | ({"fault": fault} if fault else {})) + "\n"


def _fault_of(event: Any) -> Iterator[str]:
    # Older parts of Twisted use the second name.
    failure = event.get("log_failure") or event.get("failure")
    if failure is not None:
        yield from fault_lines(failure.value, failure.getTracebackObject())
