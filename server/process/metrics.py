"""
Metrics of the server in the format of Prometheus, on a separate port.

No metric describes one person or one table. Labels are codes and kinds of messages, which are names
in our code; names, rooms, keys, addresses, scenarios and seats are never labels. Messages are
counted as they come; all other numbers are read at each scrape.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import attrs
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from protocol.seams import Clock
from server.process.pages import Page, PagePort

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Bounds of the latencies, in seconds. Targets: 0.01 for a turn of the loop, 0.1 for a reply."""
# This has no types.
_WITHOUT_TIMES: Final[Any] = disable_created_metrics


@attrs.frozen
class Reading:
    """A gauge or counter, read from the running server."""

    name: str
    help: str
    read: Callable[[], float]
    is_counter: bool = False
    """True for a counter, which only grows; False for a gauge."""


class Metrics:
    """Counts messages of one server. Implements `server.lobby.services.counts.Counts`."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """Start all counters at zero; `clock` returns seconds."""
        # Otherwise each counter would export its time of creation, too.
        _WITHOUT_TIMES()
        self.clock = clock
        self.registry = CollectorRegistry()
        own: Any = {"registry": self.registry}
        self._latency = Histogram(
            "manse_reply_seconds",
            "From a message to its reply, by kind of message",
            ["kind"],
            buckets=_BUCKETS,
            **own,
        )
        self._refusals = Counter(
            "manse_refusals", "Messages and logins that were refused, by code", ["code"], **own
        )

    def now(self) -> float:
        return self.clock()

    def replied(self, kind: str, since: float) -> None:
        self._latency.labels(kind).observe(self.clock() - since)

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def watch(self, readings: tuple[Reading, ...]) -> None:
        """Add readings, which are sampled at each scrape. Called at most once."""
        self.registry.register(_Readings(readings))

    def text(self) -> bytes:
        """Return all metrics in the format of Prometheus."""
        return generate_latest(self.registry)


@attrs.frozen
class _Readings:
    """Collector for prometheus-client."""

    readings: tuple[Reading, ...]

    def collect(self) -> Iterator[Metric]:
        """Yield each reading with its present value."""
        for one in self.readings:
            make = CounterMetricFamily if one.is_counter else GaugeMetricFamily
            yield make(one.name, one.help, value=one.read())


def size_of_store(path: Path) -> int:
    """Return the bytes of the database on disk, with its write-ahead log."""
    total = 0
    for file in (path, path.with_name(f"{path.name}-wal")):
        try:
            total += file.stat().st_size
        except FileNotFoundError:
            continue
    return total


def site(metrics: Metrics, is_ready: Callable[[], bool], clock: Clock) -> PagePort:
    """
    Return the pages `/metrics`, `/health` and `/ready`.

    Args:
        metrics: content of `/metrics`.
        is_ready: returns True if the server accepts players; otherwise `/ready` has status 503.
            `/health` has status 200 whenever the process answers.
        clock: ends connections that take too long.
    """
    pages = {
        "/metrics": lambda: Page(200, metrics.text(), CONTENT_TYPE_LATEST),
        "/health": lambda: Page(200, b"ok\n"),
        "/ready": lambda: Page(200, b"ready\n") if is_ready() else Page(503, b"not ready\n"),
    }
    return PagePort(pages, clock)
