"""Gauges and counters sampled from the running server at each scrape."""

from typing import Final

from server.process.app import DATABASE, Server
from server.process.metrics import Reading, size_of_store
from server.system.loop_monitor import LoopMonitor

STEP_BYTES: Final = 65536
"""
Granularity of the bytes sent, in bytes.

The length of a message to a seat can depend on its secrets, such as the name of a card.
"""


def readings_of(server: Server, monitor: LoopMonitor) -> tuple[Reading, ...]:
    """Return the readings of a server and of its reactor loop."""
    hosts, listener = server.lobby.registry.hosts, server.listener
    path = server.config.folder / DATABASE
    store = server.store
    return (
        Reading("manse_tables", "Tables in memory", lambda: len(hosts)),
        Reading(
            "manse_seats",
            "Seats at these that somebody has",
            lambda: sum(len(host.room.table.room.seats) for host in hosts.values()),
        ),
        Reading("manse_connections", "Connections of any kind", lambda: listener.session_count),
        Reading("manse_sessions", "Those that are logged in", lambda: listener.logged_in_count),
        Reading(
            "manse_waiting_bytes",
            "Bytes for slow readers",
            lambda: in_steps(listener.waiting_bytes),
        ),
        Reading(
            "manse_received_bytes",
            *("Bytes of clients, before TLS", lambda: listener.traffic.received),
            is_counter=True,
        ),
        Reading(
            "manse_sent_bytes",
            *("Bytes to clients, before TLS", lambda: in_steps(listener.traffic.sent)),
            is_counter=True,
        ),
        Reading("manse_commits", "Commits", lambda: store.commit_count, is_counter=True),
        Reading("manse_store_bytes", "Size of the database", lambda: size_of_store(path)),
        Reading("manse_loop_stalls", "Long turns", lambda: monitor.stalls, is_counter=True),
        Reading("manse_loop_longest_seconds", "The longest", lambda: monitor.longest_seconds),
    )


def in_steps(count: int) -> int:
    """Return a number of bytes, rounded up to whole steps."""
    return -(-count // STEP_BYTES) * STEP_BYTES
