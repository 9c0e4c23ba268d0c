"""
The runner: builds a client, and runs the process around it.

The one place of the client that picks reactor, entropy source and files. `run` installs the
asyncio reactor on a loop of its own before anything imports a reactor, owns the signals, and ends
when its coroutine does. `connect` wires key, trust, connection, port and model into a `Client`.
"""

import asyncio
import contextlib
import random
import secrets
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import attrs

from client.cache.table_cache import FOLDER as TABLES_FOLDER
from client.cache.table_cache import TableCache
from client.keymap.keys import KeyMap
from client.keyring.identity import (
    KNOWN_FILE,
    KnownServers,
    Say,
    ServerTrust,
    home_folder,
    load_player_key,
)
from client.keyring.shares import FILE as SHARES_FILE
from client.keyring.shares import SHARE_BYTES, KeptShares
from client.locale import load
from client.model.model import ClientModel
from client.model.status import Disconnected, GaveUp, Online, Status
from client.net.causes import in_words, refusal_in_words
from client.net.connection import Connection, Credentials, NotOnline, Trust, backoff_seconds
from client.net.port import ServerPort
from client.settings.appearance import NO_WISHES, Wishes
from client.terminal.faults_log import begin_logging
from client.terminal.guard import fail, guarded
from protocol.errors import ProtocolError
from protocol.invitation import Address
from protocol.keys import SEED_BYTES, SigningKey, fingerprint_text
from protocol.messages import ClientMessage, ExportPart, ServerMessage

STATUS_SIGNALLED = 128
"""The exit status after a signal, less the signal's number."""
STATUS_INTERRUPTED = STATUS_SIGNALLED + signal.SIGINT
"""The exit status after Ctrl-C."""

PARTING_SECONDS = 2.0
"""How long a leaving client waits for replies to its last messages."""

_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
    if hasattr(signal, name)
)

Main = Callable[[Any], Coroutine[Any, Any, int]]
"""Is given the reactor; returns the exit status."""


class NotReached(Exception):
    """There is no way to the server; a sentence says why and what to do."""


@attrs.frozen
class PinnedTrust:
    """A server known by its fingerprint for this once; nothing is written down."""

    address: Address
    fingerprint: bytes
    say: Say

    def pinned(self) -> bytes | None:
        """Return the fingerprint that it must have."""
        return self.fingerprint

    def learned(self, fingerprint: bytes) -> None:
        """Nothing to learn: it is the one that was expected."""

    def explain(self, expected: bytes, met: bytes) -> str:
        """Say what a server with another fingerprint means."""
        texts = (fingerprint_text(met), fingerprint_text(expected))
        return self.say("trust.not_named", str(self.address), *texts)


@attrs.frozen
class Start:
    """What a client is started with."""

    address: Address
    name: str
    language: str
    invited: bytes | None = None
    """The fingerprint that an invitation or the command line named."""
    folder: Path = attrs.field(factory=home_folder)
    """Of the player's own files."""
    has_fresh_key: bool = False
    """With a key for this once, kept nowhere."""
    keeps_no_server: bool = False
    """Trusting the fingerprint alone, if there is one, and writing nothing about it down."""
    wishes: Wishes = NO_WISHES
    """How the player wants it."""

    def key(self) -> SigningKey:
        """Return the key to log in with. IdentityProblem if its file cannot be used."""
        if self.has_fresh_key:
            return SigningKey.from_seed(secrets.token_bytes(SEED_BYTES))
        return load_player_key(self.folder, secrets.token_bytes, load(self.language).say)

    def trust(self) -> Trust:
        """Return which server is expected."""
        say = load(self.language).say
        if self.keeps_no_server and self.invited is not None:
            return PinnedTrust(self.address, self.invited, say)
        known = KnownServers(self.folder / KNOWN_FILE, say)
        return ServerTrust(known, self.address, self.invited)


@attrs.define(eq=False)
class Client:
    """One client, from connection to model. Also the listener between connection and port."""

    model: ClientModel
    address: Address
    connection: Connection = attrs.field(init=False)
    port: ServerPort = attrs.field(init=False)
    _ears: dict[int, "asyncio.Queue[ServerMessage]"] = attrs.field(factory=dict, init=False)
    """By serial: who waits for the replies to a request."""

    # From the connection

    def status_changed(self, status: Status) -> None:
        """Pass it on."""
        self._hear(lambda: self.port.status_changed(status))

    def received(self, message: ServerMessage) -> None:
        """Pass the message on, unless it replies to a request of our own."""
        ear = self._ears.get(getattr(message, "serial", -1))
        if ear is not None:
            ear.put_nowait(message)
        else:
            self._hear(lambda: self.port.received(message))

    def _hear(self, hear: Callable[[], None]) -> None:
        """Pass something on; a fault of our own ends the client, not the line."""
        try:
            hear()
        except ProtocolError:
            # The server's, and the line knows what to do about it.
            raise
        except Exception as error:  # noqa: BLE001 (Twisted would write it down and go on)
            fail(error)

    # For commands

    async def until(self, test: Callable[[], bool]) -> None:
        """Wait until something holds; it is looked at whenever the model changes."""
        done = asyncio.Event()

        def look() -> None:
            if test():
                done.set()

        self.model.on_change.append(look)
        try:
            look()
            await done.wait()
        finally:
            self.model.on_change.remove(look)

    async def online(self) -> None:
        """
        Connect, and wait until the server has let us in.

        Raises:
            NotReached: the first attempt failed; later ones are nobody's to wait for.
        """
        # Before the first attempt the status says "not connected" too.
        self.connection.start()
        await self.until(lambda: isinstance(self.model.status, Online | Disconnected | GaveUp))
        say = self.model.locale.say
        match self.model.status:
            case Disconnected(reason=reason):
                why = in_words(self.model.locale, reason)
                raise NotReached(say("cli.not_reached", str(self.address), why))
            case GaveUp() as ended:
                raise NotReached(refusal_in_words(self.model.locale, ended))
            case _:
                pass

    async def replies(self, make: Callable[[int], ClientMessage]) -> AsyncIterator[ServerMessage]:
        """
        Say something and yield every reply to it, past the model.

        Raises:
            NotReached: the line was lost before the last reply.
        """
        serial = self.connection.next_serial()
        ear = self._ears[serial] = asyncio.Queue()
        lost = asyncio.ensure_future(self.until(lambda: not self.model.is_online))
        try:
            with contextlib.suppress(NotOnline):
                self.connection.send(make(serial))
            while True:
                heard = asyncio.ensure_future(ear.get())
                await asyncio.wait({heard, lost}, return_when=asyncio.FIRST_COMPLETED)
                if not heard.done():
                    heard.cancel()
                    raise NotReached(self.model.locale.say("cli.line_lost"))
                message = heard.result()
                yield message
                if not isinstance(message, ExportPart) or message.is_last:
                    return
        finally:
            lost.cancel()
            del self._ears[serial]

    async def close(self) -> None:
        """Say goodbye: leave the table, wait for what is on its way, close the line."""
        if self.model.is_online:
            self.port.leave_table()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PARTING_SECONDS):
                    await self.until(lambda: not (self.model.sent and self.model.is_online))
        self.connection.stop()
        # One turn of the loop, so that the line can say that it closes.
        await asyncio.sleep(0.01)


def connect(start: Start, reactor: Any) -> Client:
    """
    Put a client together; `Client.online` connects it.

    Raises:
        IdentityProblem: the player's key cannot be used.
    """
    # Both import parts of Twisted that must come after the choice of a reactor.
    from client.net.tls import endpoint_for, read_exporter  # noqa: PLC0415

    key, locale = start.key(), load(start.language, KeyMap.of(start.wishes.prefs.keys))
    model = ClientModel(start.name, key.public, locale=locale, address=str(start.address))
    client = Client(model, start.address)
    client.connection = Connection(
        endpoint=endpoint_for(reactor, start.address),
        clock=reactor,
        credentials=Credentials(key, start.name, start.language),
        trust=start.trust(),
        listener=client,
        read_exporter=read_exporter,
        retry_after=lambda attempt: backoff_seconds(attempt, random.random()),
    )
    client.port = ServerPort(
        model,
        client.connection,
        lambda: secrets.token_bytes(SHARE_BYTES),
        (NotOnline,),
        shares=None if start.has_fresh_key else KeptShares(start.folder / SHARES_FILE),
        cache=_cache(start, key.public),
        later=lambda work: reactor.callLater(0, work),
    )
    return client


def _cache(start: Start, key: bytes) -> TableCache | None:
    """Return where to keep what tables show; None for nowhere."""
    if start.has_fresh_key or start.keeps_no_server or not start.wishes.prefs.keep_tables:
        return None
    cache = TableCache(start.folder / TABLES_FOLDER, key)
    cache.tidy()
    return cache


# The process -------------------------------------------------------------------------------


def run(main: Main, *, log: Path | None = None) -> int:
    """
    Run a coroutine to its end in a process that has no reactor yet.

    Args:
        main: is given the reactor.
        log: the file that faults of our own are appended to; None for nowhere.

    Returns:
        Its exit status; 128 and the number of the signal that ended it, 130 after Ctrl-C.

    Raises:
        Whatever it raises, or a callback of the loop meanwhile.
    """
    # Not the platform's favourite: Twisted needs one that watches sockets itself.
    loop = asyncio.SelectorEventLoop()
    asyncio.set_event_loop(loop)
    from twisted.internet import asyncioreactor  # noqa: PLC0415 (a reactor is chosen here)

    # Twisted does not say what types it takes.
    install: Any = asyncioreactor.install
    install(loop)
    from twisted.internet import reactor  # noqa: PLC0415 (the one just installed)

    begin_logging(log)
    life = _TerminalRun(loop, reactor, main)
    return life.live()


@attrs.define(eq=False)
class _TerminalRun:
    """A loop, a reactor in it, and one task that both live for."""

    loop: asyncio.AbstractEventLoop
    reactor: Any
    main: Main
    _task: "asyncio.Task[int] | None" = attrs.field(default=None, init=False)
    _signal: int = attrs.field(default=signal.SIGINT, init=False)
    """What interrupted it, if anything did."""

    def live(self) -> int:
        for number in _SIGNALS:
            with contextlib.suppress(NotImplementedError, ValueError):
                self.loop.add_signal_handler(number, self._interrupt, number)
        self.reactor.callWhenRunning(self._begin)
        self.reactor.run(installSignalHandlers=False)
        task = self._task
        assert task is not None
        self.loop.close()
        return STATUS_SIGNALLED + self._signal if task.cancelled() else task.result()

    def _begin(self) -> None:
        self._task = self.loop.create_task(guarded(self.main(self.reactor)))
        self._task.add_done_callback(lambda _: self.reactor.stop())

    def _interrupt(self, number: int) -> None:
        self._signal = number
        if self._task is not None:
            self._task.cancel()
