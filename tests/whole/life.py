"""One life of a server: from its start on a disk to its end, orderly or not.

It has all that `server.process.app` puts together, except TLS and the pairing of identity and
database: the real SQLite store on a simulated disk, shelf, lobby, rooms, bots, sessions.
"""

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock
from twisted.python.failure import Failure

from commands.monotonic import measure_by_monotonic
from content.plugs import packs
from content.plugs.kind import LoadedPack
from content.reading.files import digest_of
from protocol.keys import SigningKey
from server.lobby.lobby import Lobby
from server.lobby.rooms.scrub import Scrub
from server.lobby.services.seams import LobbyServices
from server.net.context import SessionContext
from server.net.handler import Account
from server.net.listener import SessionFactory
from server.packs.shelf import PackShelf
from server.process.bot_session import BotSession
from server.storage import StorageError
from server.storage.sqlite import SqliteStore, StoreLimits
from server.storage.worker import Task
from server.system.steady_time import SteadyTime
from tests.kit.servers.memory_network import read_exporter
from tests.kit.stores.powercut import Machine

IDENTITY: Final = SigningKey.from_seed(b"i" * 32)
DATABASE: Final = Path("/disk/manse.db")
START_MS: Final = 1_700_000_000_000
"""Wall clock at the beginning of the story."""
ROUNDING_SECONDS: Final = 0.001


@attrs.define(eq=False)
class MortalClock:
    """The clock of a process; once the process has ended, no pending call is made."""

    clock: Clock
    is_dead: bool = False
    _calls: list[Any] = attrs.field(factory=list)

    def seconds(self) -> float:
        return self.clock.seconds()

    def callLater(self, delay: float, callable: Callable[..., object], *args: object) -> Any:  # noqa: A002 (Twisted's name)
        if self.is_dead:
            return Clock().callLater(delay, callable, *args)
        made: Any = self.clock.callLater(delay, callable, *args)
        self._calls.append(made)
        if len(self._calls) > 1000:
            self._calls = [one for one in self._calls if one.active()]
        return made

    def die(self) -> None:
        self.is_dead = True
        for call in self._calls:
            if call.active():
                call.cancel()
        self._calls.clear()


@attrs.define(eq=False, slots=False)
class WallReactor(MortalClock):
    """A clock like that of a Twisted reactor: it measures by the wall clock of its machine."""

    ahead_ms: Callable[[], int] = lambda: 0

    def seconds(self) -> float:
        return self.clock.seconds() + self.ahead_ms() / 1000

    def getDelayedCalls(self) -> tuple[Any, ...]:
        return tuple(call for call in self._calls if call.active())

    def callLater(self, delay: float, callable: Callable[..., object], *args: object) -> Any:  # noqa: A002 (Twisted's name)
        due, call = self.seconds() + delay, _WallCall()

        def look() -> None:
            left = due - self.seconds()
            # Rounding is no jump.
            if left > ROUNDING_SECONDS:
                call.waits_by = MortalClock.callLater(self, left, look)
            else:
                callable(*args)

        call.waits_by = MortalClock.callLater(self, delay, look)
        return call


@attrs.define(eq=False)
class _WallCall:
    """A call of `WallReactor`, which is delayed if the wall clock is set back."""

    waits_by: Any = None

    def active(self) -> bool:
        return bool(self.waits_by.active())

    def cancel(self) -> None:
        self.waits_by.cancel()


@attrs.define(eq=False)
class SlowWorker:
    """The worker of a store, whose tasks take time on the clock."""

    clock: MortalClock
    random: Random
    after_task: Callable[[], None]
    _tasks: list[Task] = attrs.field(factory=list)
    _is_due: bool = False

    def do(self, task: Task) -> None:
        self._tasks.append(task)
        if self.clock.is_dead:
            self._work()
        elif not self._is_due:
            self._is_due = True
            self.clock.callLater(self.random.choice((0.0, 0.002, 0.05, 0.5)), self._work)

    def quit(self) -> None:
        pass

    def _work(self) -> None:
        self._is_due = False
        while self._tasks:
            self._tasks.pop(0)()
        self.after_task()


class Entropy:
    """Entropy from a seed."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def draw(self, count: int) -> bytes:
        """Return the next bytes."""
        return self._random.randbytes(count)


@functools.cache
def base_pack() -> LoadedPack:
    """Return the first bundled base pack."""
    kind, files = next(packs.base_packs())
    return packs.load(kind.base, files)


def load_content(_pack_id: str, files: Mapping[str, bytes]) -> Any:
    """Return the base pack under the hash of other files, as if they were another release of it."""
    pack: Any = base_pack()
    return attrs.evolve(pack, digest=digest_of(files))


@attrs.define(eq=False)
class Life:
    """A server process."""

    machine: Machine
    clock: WallReactor
    seed: str
    release: bytes
    """Name of the content that came with this server; rooms keep what they began with."""
    when_over: Callable[["Life"], None]
    """Called once when the process has ended, for whatever reason."""
    lobby: Lobby | None = attrs.field(default=None, init=False)
    factory: SessionFactory | None = attrs.field(default=None, init=False)
    store: SqliteStore | None = attrs.field(default=None, init=False)
    is_stopping: bool = attrs.field(default=False, init=False)
    failure: Failure | None = attrs.field(default=None, init=False)
    """Reason why the process could not start, if no disk fault explains it."""
    _scrub: Scrub | None = attrs.field(default=None, init=False)

    def start(self) -> None:
        """Start the process; `factory` is set once it listens."""
        measure_by_monotonic(self.clock, self.clock.clock.seconds)
        _ = Deferred.fromCoroutine(self._start()).addErrback(self._failed)

    async def _start(self) -> None:
        worker = SlowWorker(self.clock, Random(self.seed + "/disk"), self._look_at_machine)
        self.store = store = SqliteStore.open(
            DATABASE,
            lambda call, *args: self.clock.callLater(0, call, *args),
            vfs=self.machine.name,
            start_worker=lambda _: worker,
            limits=StoreLimits(checkpoint_pages=30),
        )
        shelf, entropy = PackShelf(load_content), Entropy(self.seed)
        await shelf.keep(base_pack().id, {"release": self.release}, store)
        await shelf.load_kept(store)
        clock: Any = self.clock
        steady = SteadyTime(clock, self._wall, self._elapsed)
        steady.start()
        services = LobbyServices(
            store=store,
            shelf=shelf,
            clock=clock,
            now=steady.now,
            entropy=entropy,
            make_bot=lambda key, name, room_id, handler: BotSession(
                Account(key, name, "en"), room_id, handler, clock, entropy
            ),
        )
        self.lobby = lobby = Lobby(services, sign=IDENTITY.sign, public=IDENTITY.public)
        await lobby.load()
        self._scrub = Scrub(services, lobby.registry)
        self._scrub.start()
        door = SessionContext(
            IDENTITY,
            lobby.sessions,
            clock,
            entropy.draw,
            read_exporter,
            scheduler=services.scheduler,
        )
        self.factory = SessionFactory(door)

    def _elapsed(self) -> int:
        return int(self.clock.clock.seconds() * 1000)

    def _wall(self) -> int:
        return START_MS + self._elapsed() + self.clock.ahead_ms()

    def stop(self) -> None:
        """Stop the process in order, as `server.process.app.Server.stop` does."""
        if self.factory is not None and not self.is_stopping:
            self.is_stopping = True
            _ = Deferred.fromCoroutine(self._stop(self.factory)).addErrback(self._failed)

    async def _stop(self, factory: SessionFactory) -> None:
        assert self._scrub is not None
        assert self.lobby is not None
        assert self.store is not None
        await factory.stop("the server is stopping")
        self._scrub.stop()
        self.lobby.close()
        await self.store.close()
        self.machine.kill()
        self.end()

    def end(self) -> None:
        """End the process at once; none of its pending calls is made."""
        if self.clock.is_dead:
            return
        self.clock.die()
        if not self.machine.is_dead:
            self.machine.kill()
        if self.store is not None:
            _ = self.store.close().addErrback(lambda _: None)
        self.when_over(self)

    def _look_at_machine(self) -> None:
        if self.machine.is_dead:
            self.end()

    def _failed(self, failure: Failure) -> None:
        if not isinstance(failure.value, StorageError):
            self.failure = failure
        self.end()
