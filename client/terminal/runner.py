"""
Builds a client, and runs the process around it.

This is the only module of the client that chooses reactor, entropy source and files. `run` installs
the asyncio reactor on a new loop before anything imports a reactor, handles the signals, and ends
with its coroutine. `connect` joins key, trust, connection, port and model in a `Client`.
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
from client.model.hindsight import LookBackLater
from client.model.model import ClientModel
from client.model.status import Disconnected, GaveUp, Online, Status
from client.net.causes import in_words, refusal_in_words
from client.net.connection import Connection, Credentials, NotOnline, Trust, backoff_seconds
from client.net.port import ServerPort
from client.settings.appearance import NO_WISHES, Wishes
from client.terminal.faults_log import begin_logging
from client.terminal.guard import fail, guarded
from commands.monotonic import measure_by_monotonic
from protocol.errors import ProtocolError
from protocol.invitation import Address
from protocol.keys import SEED_BYTES, SigningKey, fingerprint_text
from protocol.messages import ClientMessage, ExportPart, ServerMessage

STATUS_SIGNALLED = 128
"""Base of the exit status after a signal; the number of the signal is added."""
STATUS_INTERRUPTED = STATUS_SIGNALLED + signal.SIGINT
"""Exit status after Ctrl-C."""

PARTING_SECONDS = 2.0
"""The time that a closing client waits for replies to its last messages."""

_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
    if hasattr(signal, name)
)

Main = Callable[[Any], Coroutine[Any, Any, int]]
"""Runs with the reactor; returns the exit status."""


class NotReached(Exception):
    """The server cannot be reached. The text gives the reason, and says what the player can do."""


@attrs.frozen
class PinnedTrust:
    """Trust in a server by its fingerprint, for this session only."""

    address: Address
    fingerprint: bytes
    say: Say

    def pinned(self) -> bytes | None:
        return self.fingerprint

    def learned(self, fingerprint: bytes) -> None: ...

    def explain(self, expected: bytes, met: bytes) -> str:
        texts = (fingerprint_text(met), fingerprint_text(expected))
        return self.say("trust.not_named", str(self.address), *texts)


@attrs.frozen
class Start:
    """The parameters of a client."""

    address: Address
    name: str
    language: str
    invited: bytes | None = None
    """The fingerprint from the invitation or the command line; None if none was given."""
    folder: Path = attrs.field(factory=home_folder)
    """The folder of the player's own files."""
    has_fresh_key: bool = False
    """True to use a new key for this session only."""
    keeps_no_server: bool = False
    """True to trust the given fingerprint alone, and to store nothing about the server."""
    wishes: Wishes = NO_WISHES
    """The player's preferences and appearance."""
    look_back: LookBackLater | None = None
    """Looks back on finished games; None if this installation has no rules."""

    def key(self) -> SigningKey:
        """Return the key for the login. May raise IdentityProblem."""
        if self.has_fresh_key:
            return SigningKey.from_seed(secrets.token_bytes(SEED_BYTES))
        return load_player_key(self.folder, secrets.token_bytes, load(self.language).say)

    def trust(self) -> Trust:
        say = load(self.language).say
        if self.keeps_no_server and self.invited is not None:
            return PinnedTrust(self.address, self.invited, say)
        known = KnownServers(self.folder / KNOWN_FILE, say)
        return ServerTrust(known, self.address, self.invited)


@attrs.define(eq=False)
class Client:
    """One client, from connection to model; also the listener between connection and port."""

    model: ClientModel
    address: Address
    connection: Connection = attrs.field(init=False)
    port: ServerPort = attrs.field(init=False)
    _receivers: dict[int, "asyncio.Queue[ServerMessage]"] = attrs.field(factory=dict, init=False)
    """Receivers of replies, by serial."""

    # Events of the connection

    def status_changed(self, status: Status) -> None:
        self._pass_on(lambda: self.port.status_changed(status))

    def received(self, message: ServerMessage) -> None:
        """Pass the message on, unless it replies to a request of `replies`."""
        receiver = self._receivers.get(getattr(message, "serial", -1))
        if receiver is not None:
            receiver.put_nowait(message)
        else:
            self._pass_on(lambda: self.port.received(message))

    def _pass_on(self, handle: Callable[[], None]) -> None:
        """Call a handler of the model or port; report a bug to `guarded`, which ends the client."""
        try:
            handle()
        except ProtocolError:
            # The server's fault, which the connection handles.
            raise
        except Exception as error:  # noqa: BLE001 (Twisted would write it down and go on)
            fail(error)

    # For commands

    async def until(self, test: Callable[[], bool]) -> None:
        """Wait until a condition holds, which is tested whenever the model changes."""
        done = asyncio.Event()

        def check() -> None:
            if test():
                done.set()

        self.model.on_change.append(check)
        try:
            # The condition may hold already.
            check()
            await done.wait()
        finally:
            self.model.on_change.remove(check)

    async def online(self) -> None:
        """
        Connect, and wait for the login.

        Raises:
            NotReached: the first attempt failed.
        """
        # Before the first attempt the status is Disconnected too.
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
        Send a request and yield its replies, which do not reach the model.

        Raises:
            NotReached: the connection was lost before the last reply.
        """
        serial = self.connection.next_serial()
        # Registered before sending: the reply may arrive within `send`.
        receiver = self._receivers[serial] = asyncio.Queue()
        # One task for all parts: a connection may drop between two of them.
        lost = asyncio.ensure_future(self.until(lambda: not self.model.is_online))
        try:
            with contextlib.suppress(NotOnline):
                self.connection.send(make(serial))
            while True:
                reply = asyncio.ensure_future(receiver.get())
                await asyncio.wait({reply, lost}, return_when=asyncio.FIRST_COMPLETED)
                # A reply that came before the loss still counts.
                if not reply.done():
                    reply.cancel()
                    raise NotReached(self.model.locale.say("cli.line_lost"))
                message = reply.result()
                yield message
                if not isinstance(message, ExportPart) or message.is_last:
                    return
        finally:
            lost.cancel()
            del self._receivers[serial]

    async def close(self) -> None:
        """Leave the table, wait for outstanding replies, and close the connection."""
        if self.model.is_online:
            self.port.leave_table()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PARTING_SECONDS):
                    await self.until(lambda: not (self.model.sent and self.model.is_online))
        self.connection.stop()
        # One turn of the loop, so that TLS can announce the closing.
        await asyncio.sleep(0.01)


def connect(start: Start, reactor: Any) -> Client:
    """
    Build a client, which `Client.online` then connects.

    Raises:
        IdentityProblem: the player's key is unusable.
    """
    # Both import parts of Twisted that require the reactor to be installed.
    from client.net.tls import endpoint_for, read_exporter  # noqa: PLC0415

    key, locale = start.key(), load(start.language, KeyMap.with_wishes(start.wishes.prefs.keys))
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
    # A key or a server of this session alone has no later session to read a cache.
    is_kept = not start.has_fresh_key and not start.keeps_no_server
    cache = None
    if is_kept and start.wishes.prefs.keep_tables:
        cache = TableCache(start.folder / TABLES_FOLDER, key.public)
        cache.tidy()
    client.port = ServerPort(
        model,
        client.connection,
        lambda: secrets.token_bytes(SHARE_BYTES),
        (NotOnline,),
        shares=None if start.has_fresh_key else KeptShares(start.folder / SHARES_FILE),
        cache=cache,
        later=lambda work: reactor.callLater(0, work),
        sign=key.sign,
    )
    return client


# The process -------------------------------------------------------------------------------


def run(main: Main, *, log: Path | None = None) -> int:
    """
    Run a coroutine in a process that has no reactor yet.

    Args:
        main: the coroutine, given the reactor.
        log: the file for bugs; None for no log.

    Returns:
        The exit status of the coroutine. If a signal ended the process: 128 plus the number of the
        signal (Ctrl-C: 130).

    Raises:
        Any exception of the coroutine, or of a callback of the loop.
    """
    # Not the platform's default: Twisted needs a loop that watches sockets itself.
    loop = asyncio.SelectorEventLoop()
    asyncio.set_event_loop(loop)
    from twisted.internet import asyncioreactor  # noqa: PLC0415 (a reactor is chosen here)

    # Twisted does not declare the type.
    install: Any = asyncioreactor.install
    install(loop)
    from twisted.internet import reactor  # noqa: PLC0415 (the one just installed)

    measure_by_monotonic(reactor)
    begin_logging(log)
    life = _TerminalRun(loop, reactor, main)
    return life.live()


@attrs.define(eq=False)
class _TerminalRun:
    """A loop with a reactor, and the single task that they run."""

    loop: asyncio.AbstractEventLoop
    reactor: Any
    main: Main
    _task: "asyncio.Task[int] | None" = attrs.field(default=None, init=False)
    _signal: int = attrs.field(default=signal.SIGINT, init=False)
    """The last signal received; SIGINT before any."""

    def live(self) -> int:
        for number in _SIGNALS:
            # Not every platform has handlers, and only the main thread may set them.
            with contextlib.suppress(NotImplementedError, ValueError):
                self.loop.add_signal_handler(number, self._interrupt, number)

        def begin() -> None:
            self._task = self.loop.create_task(guarded(self.main(self.reactor)))
            self._task.add_done_callback(lambda _: self.reactor.stop())

        self.reactor.callWhenRunning(begin)
        # The loop has our handlers; Twisted would replace them.
        self.reactor.run(installSignalHandlers=False)
        task = self._task
        assert task is not None
        self.loop.close()
        return STATUS_SIGNALLED + self._signal if task.cancelled() else task.result()

    def _interrupt(self, number: int) -> None:
        self._signal = number
        if self._task is not None:
            self._task.cancel()
