"""Fixtures of the tests of sessions."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from twisted.logger import LogEvent, LogLevel, globalLogPublisher


@pytest.fixture
def faults() -> Iterator[list[LogEvent]]:
    """Collect the errors that are logged."""
    found: list[LogEvent] = []

    def observe(entry: LogEvent) -> None:
        if entry.get("log_level") is LogLevel.critical:
            found.append(entry)

    globalLogPublisher.addObserver(cast("Any", observe))
    yield found
    globalLogPublisher.removeObserver(cast("Any", observe))
