"""
The bare server, which measures the cost of network and disk alone.

The bare server has Twisted with TLS, and a database file with the same durability as ours. Four
connections make a table. Any message from one of them counts as an answer: four records go into the
database, in one commit with the records of all other waiting tables, and then to all four
connections. The server runs none of our code except the settings of TLS and of the file, which are
the same on purpose.
"""

import argparse
import json
import sys
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, cast

import apsw
from twisted.internet import reactor as twisted_reactor
from twisted.internet.protocol import Factory, Protocol
from twisted.protocols.tls import TLSMemoryBIOFactory

from server.identity.certificate import own_certificate
from server.net.tls import ServerTls

SEATS: Final = 4
"""The number of connections at one table."""
RECORDS: Final = 4
"""The number of records that follow from an answer."""
RECORD_BYTES: Final = 125
LENGTH_BYTES: Final = 4
"""The size of the length prefix of a frame."""

_reactor: Any = twisted_reactor


class _Store:
    """A database file, with a thread that commits everything in the queue at once."""

    def __init__(self, path: Path) -> None:
        self._connection = connection = apsw.Connection(str(path))
        for setting in ("locking_mode=exclusive", "journal_mode=wal", "synchronous=full"):
            connection.execute(f"PRAGMA {setting}")
        connection.execute(
            "CREATE TABLE records (room INT, sequence INT, data BLOB, "
            "PRIMARY KEY (room, sequence)) WITHOUT ROWID"
        )
        self._waiting: SimpleQueue[_Table] = SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def append(self, table: "_Table") -> None:
        self._waiting.put(table)

    def _run(self) -> None:
        while True:
            batch = [self._waiting.get()]
            # Everything that came during the last commit goes into the next one.
            while not self._waiting.empty():
                batch.append(self._waiting.get())
            rows = [
                (table.number, table.count + at, bytes(RECORD_BYTES))
                for table in batch
                for at in range(RECORDS)
            ]
            with self._connection:
                self._connection.executemany("INSERT INTO records VALUES (?, ?, ?)", rows)
            _reactor.callFromThread(_show, batch)


def _show(batch: list["_Table"]) -> None:
    for table in batch:
        table.count += RECORDS
        for connection in table.connections:
            connection.write(FANNED_OUT)


_FRAME: Final = RECORD_BYTES.to_bytes(LENGTH_BYTES, "big") + bytes(RECORD_BYTES)
FANNED_OUT: Final = RECORDS * _FRAME
"""Bytes sent to each connection of a table after an answer."""


class _Table:
    def __init__(self, number: int) -> None:
        self.number = number
        self.count = 0
        self.connections: list[Any] = []


class _Connection(Protocol):
    """One connection, which receives frames."""

    def __init__(self, table: _Table, store: _Store) -> None:
        self._table = table
        self._store = store
        self._buffer = b""

    def connectionMade(self) -> None:
        cast("Any", self.transport).setTcpNoDelay(True)
        self._table.connections.append(self.transport)

    def dataReceived(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= LENGTH_BYTES:
            end = LENGTH_BYTES + int.from_bytes(self._buffer[:LENGTH_BYTES], "big")
            if len(self._buffer) < end:
                return
            self._buffer = self._buffer[end:]
            self._store.append(self._table)

    def connectionLost(self, reason: object = None) -> None:  # noqa: ARG002 (Twisted's signature)
        self._table.connections.remove(self.transport)


class _Tables(Factory):
    """Groups connections into tables of four, in the order of their arrival."""

    noisy = False

    def __init__(self, store: _Store) -> None:
        self._store = store
        self._made = 0
        self._table = _Table(0)

    def buildProtocol(self, addr: object) -> _Connection:  # noqa: ARG002 (Twisted passes it)
        if self._made % SEATS == 0:
            self._table = _Table(self._made // SEATS)
        self._made += 1
        return _Connection(self._table, self._store)


def main(argv: Sequence[str]) -> int:
    """Serve until the input ends or a signal arrives; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.bare")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--stop-with-stdin", action="store_true")
    options = parser.parse_args(argv)
    tls = ServerTls.with_certificate(own_certificate(options.folder, datetime.now(UTC)))
    factory = _Tables(_Store(options.folder / "bare.sqlite"))
    wrapped = TLSMemoryBIOFactory(cast("Any", tls), False, cast("Any", factory))
    port = _reactor.listenTCP(options.port, wrapped, interface=options.host, backlog=500)
    told = {"host": options.host, "port": port.getHost().port, "fingerprint": ""}
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
    if options.stop_with_stdin:
        threading.Thread(target=_stop_with_stdin, daemon=True).start()
    _reactor.run()
    return 0


def _stop_with_stdin() -> None:
    # Our input ends with the process that started us, even if that one is killed.
    sys.stdin.read()
    _reactor.callFromThread(_reactor.stop)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
