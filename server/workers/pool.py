"""
The worker processes of a server: which table is with which of them, and what becomes of them.

A worker is a help and nothing else. The server's own room is what counts: it takes over what a
worker wrote, and where no worker answers it runs the rules by itself. So a worker that ends costs
its tables a moment.
"""

import os
from collections.abc import Iterable, Sequence
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.protocol import ProcessProtocol
from twisted.internet.task import LoopingCall
from twisted.logger import Logger
from twisted.python.failure import Failure

from content.plugs.kind import LoadedPack
from protocol.event import Event, Stored
from server.kernel import snapshot
from server.kernel.errors import RuleFailed
from server.kernel.rest_point import RestPoint
from server.kernel.room import Room
from server.lobby.rooms.snapshots import code_of
from server.net.scheduling import FairScheduler
from server.packs.compiled import pickled
from server.system.own_program import command_of
from server.workers import messages as say

PATIENCE_SECONDS: Final = 20.0
"""How long an input may take before its worker counts as stuck, and is ended."""
LOOK_SECONDS: Final = 5.0
"""How often it is asked whether one is."""
FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0
"""How long it takes until one that ended is begun again: each time twice as long as before."""

_PROGRAM: Final = "import sys; from server.workers.child import main; sys.exit(main())"


class WorkerEnded(Exception):
    """A worker ended before it answered."""


@attrs.define(eq=False)
class _Asked:
    """An input that a worker was given."""

    report: str
    since: float
    answer: Deferred[say.FromWorker] = attrs.field(factory=Deferred)


class Worker(ProcessProtocol):
    """One worker process, as the server sees it; another one takes its place when it ends."""

    _log = Logger()

    def __init__(self, number: int, clock: Any, packs: Sequence[bytes]) -> None:
        """
        Prepare a worker.

        Args:
            number: of this worker among all, for the log.
            clock: Twisted's reactor.
            packs: the packs that rooms may need, pickled.
        """
        self.number = number
        self.is_ready = False
        self.inputs = 0
        """How many it has worked out, and how often it ended, since the server began."""
        self.ends = 0
        self.rooms: set[str] = set()
        """Those of which it has a copy, as far as the server knows."""
        self._clock = clock
        self._packs = packs
        self._inbox = say.Inbox()
        self._asked: dict[int, _Asked] = {}
        self._saving: dict[int, Deferred[say.FromWorker]] = {}
        self._serial = 0
        self._heard = 0.0
        self._pause = FIRST_PAUSE_SECONDS
        self._is_stopped = False

    # The transport of a process, of which zope's interfaces say nothing that a checker can read.
    transport: Any

    @property
    def pid(self) -> int | None:
        """The id of its process; None where there is none."""
        return self.transport.pid if self.transport is not None else None

    def start(self) -> None:
        """Begin its process, and give it all packs."""
        if self._is_stopped:
            return
        command = command_of(_PROGRAM)
        pipes = {0: "w", 1: "r", 2: 2}
        self._inbox = say.Inbox()
        self._clock.spawnProcess(self, command[0], command, os.environ, childFDs=pipes)
        for body in self._packs:
            self.tell(say.Pack(body))
        self.tell(say.Loaded())

    def stop(self) -> None:
        """End its process. It has nothing that would be lost."""
        self._is_stopped = True
        self._kill()

    def _kill(self) -> None:
        if self.transport is not None and self.transport.pid is not None:
            self.transport.signalProcess("KILL")

    def tell(self, message: say.ToWorker) -> None:
        """Send it a message."""
        self.transport.write(say.packed(message))

    def ask(self, room: Room, happened: Event, time: int, origin: int) -> Deferred[say.FromWorker]:
        """
        Return what it says to an input.

        Fails with `WorkerEnded`, or with `RuleFailed` where it was ended because of that input.
        """
        self._serial += 1
        asked = _Asked(f"{room.room_id[:8]}-{len(room.log)}", self._clock.seconds())
        self._asked[self._serial] = asked
        self.tell(say.Input(self._serial, room.room_id, room.head, happened, time, origin))
        return asked.answer

    def save(self, rest: RestPoint) -> Deferred[say.FromWorker]:
        """Return what it says to a request for a rest point; fails with `WorkerEnded`."""
        self._serial += 1
        self.tell(say.Save(self._serial, rest.table.room.room_id, rest.head))
        saved: Deferred[say.FromWorker] = Deferred()
        self._saving[self._serial] = saved
        return saved

    def look(self) -> None:
        """End it if it is stuck. A suspended machine does not count."""
        first = next(iter(self._asked.items()), None)
        if first is None:
            return
        serial, asked = first
        if self._clock.seconds() - max(asked.since, self._heard) < PATIENCE_SECONDS:
            return
        self._log.critical(
            "worker {number} is stuck in an input of room and event {report}, and is ended",
            number=self.number,
            report=asked.report,
        )
        del self._asked[serial]
        self._kill()
        asked.answer.errback(RuleFailed(asked.report))

    # From Twisted ------------------------------------------------------------------------

    def outReceived(self, data: bytes) -> None:
        """Take what it says."""
        self._heard = self._clock.seconds()
        try:
            for message in self._inbox.whole(data):
                self._take(message)
        except Exception:  # noqa: BLE001 (nobody waits for it any longer than for one that ended)
            self._log.failure("worker {number} makes no sense, and is ended", number=self.number)
            self._kill()

    def _take(self, message: say.FromWorker) -> None:
        if isinstance(message, say.Ready):
            self.is_ready = True
            self._log.info("worker {number} is ready", number=self.number)
        elif message.serial in self._saving:
            self._saving.pop(message.serial).callback(message)
        else:
            self.inputs += isinstance(message, say.Written)
            self._asked.pop(message.serial).answer.callback(message)

    def processEnded(self, reason: Failure) -> None:  # noqa: N802 (Twisted's name)
        """Have its inputs dealt with otherwise, and begin it again some time later."""
        lasted = self.is_ready
        self.is_ready = False
        self.rooms.clear()
        waiting = [*(one.answer for one in self._asked.values()), *self._saving.values()]
        self._asked, self._saving = {}, {}
        for answer in waiting:
            answer.errback(WorkerEnded())
        if self._is_stopped:
            return
        self.ends += 1
        self._pause = FIRST_PAUSE_SECONDS if lasted else min(2 * self._pause, LONGEST_PAUSE_SECONDS)
        self._log.error(
            "worker {number} ended ({why}); its tables go on in the server, and it is begun again"
            " in {pause:.0f} s",
            number=self.number,
            why=reason.getErrorMessage(),
            pause=self._pause,
        )
        self._clock.callLater(self._pause, self.start)


class WorkerPool:
    """All workers of a server. See `server.lobby.services.seams.Workers`."""

    _log = Logger()

    def __init__(
        self, count: int, clock: Any, scheduler: FairScheduler, packs: Iterable[LoadedPack]
    ) -> None:
        """
        Prepare workers.

        Args:
            count: how many.
            clock: Twisted's reactor.
            scheduler: of the server, in whose turns copies of rooms are made.
            packs: that rooms may need.
        """
        bodies = [pickled(pack) for pack in packs]
        self.workers = [Worker(number, clock, bodies) for number in range(1, count + 1)]
        self._scheduler = scheduler
        self._with: dict[str, Worker] = {}
        self._left: set[str] = set()
        """Rooms of which no copy could be made."""
        self._looking = LoopingCall(self._look)
        self._looking.clock = clock

    def start(self) -> None:
        """Begin all processes. Until one is ready the server does without it."""
        for worker in self.workers:
            worker.start()
        _ = self._looking.start(LOOK_SECONDS, now=False)

    def stop(self) -> None:
        """End all processes."""
        if self._looking.running:
            self._looking.stop()
        for worker in self.workers:
            worker.stop()

    def _look(self) -> None:
        for worker in self.workers:
            worker.look()

    def drop(self, room_id: str) -> None:
        """Forget a room, which is not loaded any more."""
        self._left.discard(room_id)
        worker = self._with.pop(room_id, None)
        if worker is not None and room_id in worker.rooms:
            worker.rooms.discard(room_id)
            worker.tell(say.Drop(room_id))

    async def written(
        self, room: Room, happened: Event, *, time: int, origin: int
    ) -> Sequence[Stored] | None:
        """
        Return what follows from an input.

        Args:
            room: which can be followed; it takes no other input meanwhile.
            happened: as for `Room.receiving`, as are the others.

        Returns:
            The records; None where the room has to take the input by itself.

        Raises:
            RuleFailed: it takes so long that it would hold up everybody.
        """
        worker = self._worker_of(room)
        if worker is None:
            return None
        try:
            if room.room_id in worker.rooms:
                answer = await worker.ask(room, happened, time, origin)
                if not isinstance(answer, say.Behind):
                    return _records_of(answer)
            if not await self._is_copied(room, worker):
                return None
            answer = await worker.ask(room, happened, time, origin)
        except WorkerEnded:
            return None
        if isinstance(answer, say.Behind):
            self._log.error(
                "room {room} is played in the server alone, no worker can copy it:\n{why}",
                room=room.room_id,
                why=answer.why,
            )
            self._left.add(room.room_id)
        return _records_of(answer)

    async def saved(self, rest: RestPoint) -> bytes | None:
        """
        Return the last rest point of a room as bytes; None where the room has to write it itself.

        Args:
            rest: that of the room at the time of the call.
        """
        room_id = rest.table.room.room_id
        worker = self._with.get(room_id)
        if worker is None or room_id not in worker.rooms:
            return None
        try:
            answer = await worker.save(rest)
        except WorkerEnded:
            return None
        return answer.body if isinstance(answer, say.Saved) else None

    def _worker_of(self, room: Room) -> Worker | None:
        """Return the worker of a room: the one that has it, or one with the fewest."""
        if room.room_id in self._left:
            return None
        worker = self._with.get(room.room_id)
        if worker is None or not worker.is_ready:
            ready = [one for one in self.workers if one.is_ready]
            if not ready:
                return None
            worker = min(ready, key=lambda one: len(one.rooms))
            self._with[room.room_id] = worker
        return worker

    async def _is_copied(self, room: Room, worker: Worker) -> bool:
        """Give a worker a copy of a room; return whether that could be done."""
        rest = room.rest
        code = code_of(rest.table.room.ruleset)
        if code is None:
            return False
        try:
            saved = await self._scheduler.run(snapshot.saving(rest, code))
        except TypeError as error:
            # As where no snapshot of it can be kept.
            self._log.warn("room {room}: no copy: {why}", room=room.room_id, why=str(error))
            self._left.add(room.room_id)
            return False
        if not worker.is_ready:
            return False
        tail, recalled = tuple(room.log[rest.end :]), dict(room.log.recalled)
        worker.tell(say.Copy(room.room_id, saved, tail, recalled))
        worker.rooms.add(room.room_id)
        return True


def _records_of(answer: say.FromWorker) -> Sequence[Stored] | None:
    return answer.records if isinstance(answer, say.Written) else None
