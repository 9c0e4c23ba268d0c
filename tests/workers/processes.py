"""Worker processes in this process: the real pool and the real copies, with a fake pipe between."""

import itertools
from typing import Any

import attrs
from twisted.internet.error import ProcessTerminated
from twisted.internet.task import Clock
from twisted.python.failure import Failure

from server.lobby.services.seams import Surroundings
from server.net.scheduling import FairScheduler
from server.workers import messages as say
from server.workers.child import Copies
from server.workers.pool import WorkerPool
from tests.lobby.house import House

# Twisted does not say what it takes.
_failure: Any = Failure
_terminated: Any = ProcessTerminated


@attrs.define(eq=False)
class FakeProcess:
    """A process that answers in a later turn. Also its transport."""

    protocol: Any
    clock: Clock
    copies: Copies
    pid: int | None
    is_mute: bool = False
    """Whether it says nothing any more."""
    seconds: float = 0.0
    """How long it takes to answer."""
    heard: list[Any] = attrs.field(factory=list)
    _inbox: say.Inbox = attrs.field(factory=say.Inbox, init=False)

    def write(self, data: bytes) -> None:
        """See `ITransport`."""
        assert self.pid is not None, "a process that ended was told something"
        for told in self._inbox.whole(data):
            self.heard.append(told)
            if self.is_mute:
                continue
            self._say(self.copies.answer(told))
            while self.copies.has_more_to_do:
                self._say(self.copies.go_on())

    def _say(self, answer: say.FromWorker | None) -> None:
        if answer is not None:
            packed = say.packed(answer)
            # In two parts, as a pipe may give it.
            self.clock.callLater(self.seconds, self._tell, packed[:7])
            self.clock.callLater(self.seconds, self._tell, packed[7:])

    def _tell(self, data: bytes) -> None:
        if self.pid is not None:
            self.protocol.outReceived(data)

    def signalProcess(self, name: str) -> None:  # noqa: N802 (Twisted's name)
        """See `IProcessTransport`."""
        assert name == "KILL"
        self.clock.callLater(0, self.end)

    def end(self) -> None:
        """End, as one that is killed does."""
        if self.pid is not None:
            self.pid = None
            self.protocol.processEnded(_failure(_terminated(signal=9)))


@attrs.define(eq=False)
class Processes:
    """A clock that also spawns such processes."""

    clock: Clock
    entropy: Any
    spawned: list[FakeProcess] = attrs.field(factory=list)
    begins_mute: bool = False

    def seconds(self) -> float:
        """See `Clock`."""
        return self.clock.seconds()

    def callLater(self, *args: Any) -> Any:
        """See `Clock`."""
        return self.clock.callLater(*args)

    def spawnProcess(self, protocol: Any, *_: Any, **__: Any) -> None:  # noqa: N802 (Twisted's name)
        """See `IReactorProcess`."""
        pid = 1000 + len(self.spawned)
        process = FakeProcess(protocol, self.clock, Copies(self.entropy), pid, self.begins_mute)
        protocol.transport = process
        self.spawned.append(process)


@attrs.define(eq=False)
class WorkersHouse(House):
    """A server with worker processes, which draw from the same entropy as it does."""

    count: int = 1
    takes_steps: bool = False
    """Whether each step of long work waits for a turn of its own."""
    processes: Processes = attrs.field(init=False)
    pool: WorkerPool = attrs.field(init=False)

    def _surroundings(self) -> Surroundings:
        around = super()._surroundings()
        if self.takes_steps:
            ticks = itertools.count()
            scheduler = FairScheduler(self.clock, lambda: float(next(ticks)))
            around = attrs.evolve(around, scheduler=scheduler)
        self.processes = Processes(self.clock, self.entropy)
        packs = (self.content(), *self.beside())
        self.pool = WorkerPool(self.count, self.processes, around.scheduler, packs)
        self.pool.start()
        self.clock.advance(0)
        self.clock.advance(0)
        return attrs.evolve(around, workers=self.pool)

    @property
    def followed(self) -> int:
        """How many inputs were given to a worker."""
        heard = (told for one in self.processes.spawned for told in one.heard)
        return sum(isinstance(told, say.Input) for told in heard)
