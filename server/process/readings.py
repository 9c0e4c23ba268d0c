"""Gauges and counters sampled from the running server at each scrape."""

import secrets
from collections.abc import Callable

from server.process.app import DATABASE, Server
from server.process.metrics import Reading, size_of_store
from server.process.rough import RoughNumber
from server.system.loop_monitor import LoopMonitor


def readings_of(
    server: Server, monitor: LoopMonitor, draw: Callable[[int], int] = secrets.randbelow
) -> tuple[Reading, ...]:
    """
    Return the readings of a server and of its reactor loop.

    Numbers of bytes are rough: the length of a message can depend on secrets, such as the name of
    a card or the number of a choice.

    Args:
        server: the server.
        monitor: watches its reactor loop.
        draw: returns a random number below its argument.
    """
    hosts, listener = server.lobby.registry.hosts, server.listener
    path = server.config.folder / DATABASE
    store = server.store

    def rough(exact: Callable[[], int]) -> Callable[[], int]:
        return RoughNumber(exact, draw).read

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
            rough(lambda: listener.waiting_bytes),
        ),
        Reading(
            "manse_received_bytes",
            *("Bytes of clients, before TLS", rough(lambda: listener.traffic.received)),
            is_counter=True,
        ),
        Reading(
            "manse_sent_bytes",
            *("Bytes to clients, before TLS", rough(lambda: listener.traffic.sent)),
            is_counter=True,
        ),
        Reading("manse_commits", "Commits", lambda: store.commit_count, is_counter=True),
        Reading("manse_store_bytes", "Size of the database", rough(lambda: size_of_store(path))),
        Reading("manse_loop_stalls", "Long turns", lambda: monitor.stalls, is_counter=True),
        Reading("manse_loop_longest_seconds", "The longest", lambda: monitor.longest_seconds),
    )
