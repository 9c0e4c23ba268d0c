"""
The whole server in this process, on a clock that the benchmark advances.

All runs are the same. Sessions, lobby, rules, content and database are real; only the network is
left out, including TLS. So the work of the server can be counted, unaffected by other load of the
machine.
"""

import gc
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import attrs
from twisted.internet.defer import Deferred, succeed
from twisted.internet.error import ConnectionDone
from twisted.internet.protocol import Protocol
from twisted.internet.task import Clock
from twisted.python.failure import Failure

from content.plugs import packs
from content.plugs.kind import LoadedPack
from protocol.event import Stored
from protocol.keys import SigningKey
from protocol.login import EXPORTER_BYTES
from server.authoring.driver import SeededEntropy
from server.lobby.lobby import Lobby
from server.lobby.services.seams import LobbyServices
from server.net.context import SessionContext
from server.net.scheduling import FairScheduler
from server.net.session import WireSession
from server.packs.shelf import PackShelf
from server.process.app import DATABASE
from server.storage.sqlite import SqliteStore
from server.storage.store import StoreItem
from server.storage.worker import Task

T = TypeVar("T")
# Twisted does not say what it takes.
_failure: Any = Failure

STEP: Final = timedelta(milliseconds=50).total_seconds()
"""Seconds per step of both clocks."""
STEPS_AT_MOST: Final = 100_000
"""The maximum number of steps to wait for something."""


class Stuck(Exception):
    """The server did not produce a result that the benchmark waits for."""


def call_at_once(function: Callable[..., object], /, *args: object) -> None:
    """Call a function now: replaces `CallInReactor` for a store whose worker is `AtOnce`."""
    function(*args)


class AtOnce:
    """A worker of the store that does everything in the calling thread."""

    def __init__(self, _name: str) -> None:
        """Accept the name that threads need, and ignore it."""

    def do(self, task: Task) -> None:
        task()

    def quit(self) -> None: ...


class CountingStore(SqliteStore):
    """Counts the bytes of records that it stores."""

    log_bytes = 0

    def append(
        self, room_id: str, first: int, records: Sequence[Stored], beside: StoreItem | None = None
    ) -> Deferred[None]:
        self.log_bytes += sum(len(record.public) + len(record.openings) for record in records)
        return super().append(room_id, first, records, beside)


@attrs.define(eq=False)
class _End:
    """One end of a connection without a network. Data written here arrives at the other end."""

    deliver: Callable[[bytes], None]
    lose: Callable[[], None]

    def write(self, data: bytes) -> None:
        self.deliver(data)

    def loseConnection(self) -> None:
        self.lose()

    abortConnection = loseConnection

    def registerProducer(self, producer: object, streaming: bool) -> None:  # noqa: FBT001 (Twisted's name)
        """Do nothing, because this connection never has to wait."""

    def unregisterProducer(self) -> None: ...

    def getHandle(self) -> "_End":
        return self

    def export_keying_material(self, _label: bytes, count: int) -> bytes:
        """Return the same bytes on both ends, like TLS."""
        return bytes(count)


@attrs.define(eq=False)
class Within:
    """A server, and the clock of its players."""

    store: CountingStore
    lobby: Lobby
    clock: Clock
    """The server's clock."""
    outside: Clock
    """The players' clock."""
    watch: Callable[[], Any]
    """Returns a context in which each piece of the server's work runs."""
    _context: SessionContext

    def endpoint(self, reactor: Any, number: int) -> Any:  # noqa: ARG002 (as `Reachable` has it)
        return self

    def connect(self, factory: Any) -> Deferred[Protocol]:
        """Connect a protocol to a new session of the server, as an endpoint of Twisted would."""
        there = factory.buildProtocol(None)
        here = WireSession(self._context, "local", when_lost=lambda _: None)
        done: Any = _failure(ConnectionDone())

        # In a call of its own, as bytes that come from a network.
        def soon(call: Callable[[], None]) -> None:
            self.outside.callLater(0, call)

        def heard(data: bytes) -> None:
            soon(lambda: self._work(lambda: here.dataReceived(data)))

        def told(data: bytes) -> None:
            soon(lambda: there.dataReceived(data))

        def lost() -> None:
            soon(lambda: self._work(lambda: here.connectionLost(done)))

        there.makeConnection(_End(heard, lost))
        cast("Any", here).makeConnection(_End(told, lost))
        there.handshakeCompleted()
        self._work(here.handshakeCompleted)
        connected: Deferred[Protocol] = succeed(there)
        return connected

    def _work(self, work: Callable[[], None]) -> None:
        with self.watch():
            work()

    def wait(self, awaited: Deferred[T]) -> T:
        """Advance the clocks until a result arrives, and return the result."""
        came: list[Any] = []
        _ = awaited.addBoth(came.append)
        for _ in range(STEPS_AT_MOST):
            if came:
                break
            self.turn()
        else:
            raise Stuck("what is waited for does not come")
        if isinstance(came[0], Failure):
            came[0].raiseException()
        return cast("T", came[0])

    def pass_seconds(self, seconds: float) -> None:
        """Advance both clocks by a number of seconds."""
        for _ in range(math.ceil(seconds / STEP)):
            self.turn()

    def turn(self) -> None:
        """Advance both clocks by a step."""
        self._work(lambda: self.clock.advance(STEP))
        self.outside.advance(STEP)


@contextmanager
def within(
    folder: Path, watch: Callable[[], Any], when_parted: Callable[[], None] | None = None
) -> Iterator[Within]:
    """
    Open a server.

    Args:
        folder: the folder for the database.
        watch: see `Within.watch`.
        when_parted: called before each part of the server's work that could wait for a later turn;
            here no part waits.
    """
    clock, outside, entropy = Clock(), Clock(), SeededEntropy(1)
    identity = SigningKey.from_seed(bytes(32))
    opened = CountingStore.open(folder / DATABASE, call_at_once, start_worker=AtOnce)
    store = cast("CountingStore", opened)
    shelf = PackShelf(_loaded)

    def timer() -> float:
        if when_parted is not None:
            when_parted()
        return 0.0

    services = LobbyServices(
        store=store,
        shelf=shelf,
        clock=cast("Any", clock),
        now=lambda: int(clock.seconds() * 1000),
        entropy=entropy,
        make_bot=_no_bots,
        scheduler=FairScheduler(cast("Any", clock), timer),
    )
    lobby = Lobby(services, sign=identity.sign, public=identity.public)
    context = SessionContext(
        identity=identity,
        handler=lobby.sessions,
        clock=cast("Any", clock),
        new_bytes=entropy.draw,
        read_exporter=lambda _: bytes(EXPORTER_BYTES),
        scheduler=services.scheduler,
    )
    server = Within(store, lobby, clock, outside, watch, context)
    server.wait(Deferred.fromCoroutine(shelf.load(store)))
    server.wait(Deferred.fromCoroutine(lobby.load()))
    try:
        yield server
    finally:
        lobby.close()
        server.wait(store.close())
        gc.collect()


_packs: dict[str, LoadedPack] = {}


def _loaded(pack_id: str, files: Mapping[str, bytes]) -> LoadedPack:
    """Load a bundled pack, once per process."""
    if pack_id not in _packs:
        _packs[pack_id] = packs.load(pack_id, files)
    return _packs[pack_id]


def _no_bots(*_: object) -> Any:
    raise AssertionError("no table here has bots of the server's")
