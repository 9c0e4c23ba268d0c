"""A club of 60 plays at fifteen real tables from one address among silent connections.

test_crowd.py runs it as a process of its own, with a whole server on real sockets; it reports in
lines of JSON.
"""

import itertools
from pathlib import Path
from typing import Any, Final, cast

import attrs
from twisted.internet import reactor as installed
from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.endpoints import TCP4ClientEndpoint
from twisted.internet.threads import deferToThread

from bench.lines import Line
from bench.players import SEATS, Numbers, PlayedTable, Table
from client.net.tls import ClientTls, TlsEndpoint
from protocol import messages
from protocol.keys import SigningKey
from server.net.addresses import network_named
from server.process.app import Config, open_server
from server.system.open_files import allow_open_files, limits_of_this_process
from tests.kit.servers.crowd import CLUB, FILES_BESIDE, LINE, PROXY, SILENT, Silence, until, visit
from tests.kit.servers.programs import run, tell
from tests.net.attackers import HOST

reactor: Any = installed
TABLES: Final = CLUB // SEATS
ANSWERS: Final = 20
"""Number of answers that each table gives."""
SECONDS: Final = 80
"""Maximum seconds to wait for all answers."""


@attrs.frozen
class OneAddress:
    """A server that all players reach from the same address."""

    port: int

    def endpoint(self, reactor: Any, number: int) -> TlsEndpoint:
        tcp: Any = TCP4ClientEndpoint(reactor, HOST, self.port)
        return TlsEndpoint(tcp, ClientTls(HOST), reactor)


async def scenarios(place: OneAddress) -> tuple[messages.ScenarioLine, ...]:
    """Return the scenarios of a server, requested on a connection of its own."""
    line = Line(reactor, "Visitor", SigningKey.from_seed(b"v" * 32))
    await line.connect(place, 0)
    told = await line.ask(messages.ListScenarios)
    line.close()
    assert isinstance(told, messages.Scenarios)
    return told.lines


@attrs.define
class Evening:
    """The games of the club: each table gives one answer after another."""

    given: dict[Table, int] = attrs.field(factory=dict)

    def shown(self, table: Table, _seconds: float) -> None:
        """Count an answer of a table, and give the next."""
        self.given[table] += 1
        if self.given[table] < ANSWERS:
            reactor.callLater(0, table.answer)

    async def play(self, tables: list[PlayedTable]) -> None:
        for table in tables:
            self.given[table] = 0
            table.when_shown = self.shown
            table.answer()
        await until(lambda: all(count >= ANSWERS for count in self.given.values()), SECONDS)


async def main(folder: Path) -> None:
    """Open the tables, play, and keep opening silent connections."""
    config = Config(folder, host=HOST, port=0, proxies=(network_named(PROXY),))
    server = await open_server(config, reactor)
    await server.start()
    place, gate = OneAddress(server.address.port), server.listener._sessions.gate
    files = allow_open_files(2 * SILENT + FILES_BESIDE, limits_of_this_process())
    silence = Silence(place.port, addresses=200)
    kinds = itertools.cycle(await scenarios(place))
    await silence.grow((files - FILES_BESIDE) // 2)
    numbers, is_over = Numbers(), False

    async def keep_silence() -> None:
        while not is_over:
            silence.renew(5)
            await until(lambda: is_over, 0.02)

    kept = Deferred.fromCoroutine(keep_silence())
    tables = [
        PlayedTable(reactor, cast("Any", place), numbers, scenario=next(kinds))
        for _ in range(TABLES)
    ]
    await gatherResults([Deferred.fromCoroutine(table.open()) for table in tables])
    evening, sessions = Evening(), gate.session_count
    await evening.play(tables)
    is_over = True
    await kept
    tell(
        step="club",
        sessions=sessions,
        sessions_after=gate.session_count,
        answers=list(evening.given.values()),
        silent=silence.count,
        waiting=gate.waiting_count,
        by_proxy=await deferToThread(visit, place.port, PROXY, LINE),
    )
    for table in tables:
        table.close()
    silence.close()
    await server.stop()
    tell(step="end")


if __name__ == "__main__":
    run(main, reactor)
