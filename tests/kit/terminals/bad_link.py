"""A link between a client and a server that can be slow, crumble, break, or go dead unnoticed."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

_PIECE = 1 << 16
_PATIENCE = 30.0
"""Maximum seconds to wait for the link's own thread."""


@attrs.define(eq=False)
class BadLink:
    """A relay between a port of its own and a server's port, on a thread of its own."""

    target: int
    """Port of the server, on the loopback interface."""
    delay: float = 0.0
    """Delay of each piece in seconds, each way; the pieces keep their distance."""
    is_crumbling: bool = False
    """True if each byte travels by itself."""
    is_broken: bool = False
    """True if the link breaks every connection as soon as it is made; see `snap`."""
    is_dead: bool = False
    """True if the link takes connections and bytes, passes nothing on, and never reports an end."""
    port: int = attrs.field(default=0, init=False)
    swallowed: int = attrs.field(default=0, init=False)
    """Number of bytes taken while the link was dead."""
    is_ready: threading.Event = attrs.field(factory=threading.Event, init=False)
    """Event that is set once the link listens."""
    _loop: asyncio.AbstractEventLoop = attrs.field(init=False)
    _over: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _ends: list[asyncio.StreamWriter] = attrs.field(factory=list, init=False)
    """The open ends, on either side."""
    _tasks: "set[asyncio.Task[None]]" = attrs.field(factory=set, init=False)

    def snap(self) -> None:
        """Break all connections."""

        def abort() -> None:
            for end in self._ends:
                end.transport.abort()
            self._ends.clear()

        self._do(abort)

    def run(self) -> None:
        asyncio.run(self._live())

    def close(self) -> None:
        """Break everything, and let the thread end."""
        self.snap()
        self._do(self._over.set)

    async def _live(self) -> None:
        self._loop = asyncio.get_running_loop()
        async with await asyncio.start_server(self._met, "127.0.0.1", 0) as server:
            self.port = server.sockets[0].getsockname()[1]
            self.is_ready.set()
            await self._over.wait()

    def _do(self, what: Callable[[], None]) -> None:
        async def do() -> None:
            what()

        asyncio.run_coroutine_threadsafe(do(), self._loop).result(_PATIENCE)

    async def _met(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        if self.is_broken:
            client.transport.abort()
            return
        answers, server = await asyncio.open_connection("127.0.0.1", self.target)
        self._ends += (client, server)
        for source, sink in ((reader, server), (answers, client)):
            task = self._loop.create_task(self._carry(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Relay bytes and the end of the stream from one side to the other."""
        late: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        delivering = self._loop.create_task(self._deliver(late, sink))
        data = b"?"
        while data:
            try:
                data = await source.read(_PIECE)
            except ConnectionError:
                data = b""
            late.put_nowait((self._loop.time() + self.delay, data))
        await delivering

    async def _deliver(
        self, late: "asyncio.Queue[tuple[float, bytes]]", sink: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                due, data = await late.get()
                await asyncio.sleep(max(0.0, due - self._loop.time()))
                if self.is_dead:
                    self.swallowed += len(data)
                elif not data:
                    sink.close()
                    return
                else:
                    await self._write(data, sink)

    async def _write(self, data: bytes, sink: asyncio.StreamWriter) -> None:
        size = 1 if self.is_crumbling else len(data)
        for at in range(0, len(data), size):
            sink.write(data[at : at + size])
            await sink.drain()
            # Else the bytes would lie together again before anybody reads the first.
            await asyncio.sleep(0)


@contextmanager
def bad_link(target: int) -> Iterator[BadLink]:
    """Run a relay to a port of this machine; it is sound until told otherwise."""
    link = BadLink(target)
    thread = threading.Thread(target=link.run, daemon=True)
    thread.start()
    assert link.is_ready.wait(_PATIENCE)
    try:
        yield link
    finally:
        link.close()
        thread.join(_PATIENCE)
