"""A server and clients on real sockets with TLS, in a process of its own.

test_loopback.py runs it; it reports in lines of JSON. The reactor is asyncio's, installed on a loop
of our own before anything imports a reactor, as in the real client.
"""

import asyncio
import datetime as dt
import os
import random
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from twisted.internet import asyncioreactor

LOOP = asyncio.new_event_loop()
asyncio.set_event_loop(LOOP)
install: Any = asyncioreactor.install
install(LOOP)

from OpenSSL import SSL  # noqa: E402 (after the reactor)
from twisted.internet import reactor as installed  # noqa: E402
from twisted.internet.defer import Deferred  # noqa: E402
from twisted.internet.endpoints import TCP4ServerEndpoint  # noqa: E402
from twisted.internet.task import deferLater  # noqa: E402

from client.keyring.identity import KnownServers, ServerTrust, load_player_key  # noqa: E402
from client.model.status import GaveUp, Online, Status  # noqa: E402
from client.net.connection import Connection, Credentials, backoff_seconds  # noqa: E402
from client.net.tls import endpoint_for  # noqa: E402
from client.net.tls import read_exporter as client_exporter  # noqa: E402
from protocol.invitation import Address  # noqa: E402
from protocol.keys import SigningKey, fingerprint  # noqa: E402
from protocol.messages import (  # noqa: E402
    ClientMessage,
    Done,
    ExportPart,
    ListTables,
    ServerMessage,
)
from server.identity.certificate import own_certificate  # noqa: E402
from server.identity.identity import load_identity  # noqa: E402
from server.net.context import SessionContext  # noqa: E402
from server.net.handler import Session  # noqa: E402
from server.net.limits import Limits  # noqa: E402
from server.net.listener import Listener  # noqa: E402
from server.net.tls import ServerTls, read_exporter  # noqa: E402
from tests.kit.servers.programs import run, tell  # noqa: E402

reactor: Any = installed
PARTS = 200


class EchoDesk:
    """Replies `Done` to everything, and streams eight megabytes for serial 2."""

    def connected(self, session: Session) -> None:
        pass

    def received(self, session: Session, message: ClientMessage) -> None:
        if message.serial == 2:
            session.stream(
                ExportPart(2, "room", n, n == PARTS - 1, bytes(40_000)) for n in range(PARTS)
            )
        session.send(Done(message.serial))

    def disconnected(self, session: Session) -> None:
        pass


class Ears:
    """Records the status changes and messages of a connection."""

    def __init__(self) -> None:
        self.statuses: list[Status] = []
        self.heard: list[ServerMessage] = []

    def status_changed(self, status: Status) -> None:
        self.statuses.append(status)

    def received(self, message: ServerMessage) -> None:
        self.heard.append(message)


async def until(is_so: Callable[[], bool], seconds: float = 20) -> bool:
    """Wait until a condition holds. Returns False if it did not come in time."""
    end = reactor.seconds() + seconds
    while not is_so() and reactor.seconds() < end:
        await deferLater(reactor, 0.01)
    return is_so()


def connect(folder: Path, name: str, port: int, pinned: bytes | None) -> tuple[Connection, Ears]:
    ears, address = Ears(), Address("127.0.0.1", port)
    connection = Connection(
        endpoint=endpoint_for(reactor, address),
        clock=reactor,
        credentials=Credentials(load_player_key(folder / name, os.urandom), name, "en"),
        trust=ServerTrust(KnownServers(folder / name / "known"), address, pinned),
        listener=ears,
        read_exporter=client_exporter,
        retry_after=lambda attempt: backoff_seconds(attempt, random.random()) / 10,
    )
    connection.start()
    return connection, ears


def serve(folder: Path, identity: SigningKey, port: int) -> Listener:
    certificate = own_certificate(folder, dt.datetime.now(dt.UTC))
    limits = Limits(handshake_seconds=2, login_seconds=2)
    door = SessionContext(identity, EchoDesk(), reactor, os.urandom, read_exporter, limits=limits)
    endpoint = cast("Any", TCP4ServerEndpoint)(reactor, port, interface="127.0.0.1")
    return Listener(endpoint, ServerTls.with_certificate(certificate), door)


def status_of(ears: Ears) -> str:
    """Return the kind of the last status."""
    return type(ears.statuses[-1]).__name__


def beside(call: Callable[[], Any]) -> Deferred[Any]:
    """Run a blocking call in a thread."""
    return Deferred.fromFuture(asyncio.ensure_future(LOOP.run_in_executor(None, call), loop=LOOP))


async def try_old_tls(port: int) -> str:
    """Return the outcome of a handshake with TLS 1.2: `refused`, or the version agreed on."""

    def shake() -> str:
        context = SSL.Context(SSL.TLS_CLIENT_METHOD)
        context.set_max_proto_version(SSL.TLS1_2_VERSION)
        with socket.create_connection(("127.0.0.1", port)) as raw:
            one = SSL.Connection(context, raw)
            one.set_connect_state()
            try:
                one.do_handshake()
            except SSL.Error:
                return "refused"
            return one.get_protocol_version_name()

    return str(await beside(shake))


async def try_silence(port: int) -> float:
    """Return the seconds after which the server closes a silent connection."""
    begin = reactor.seconds()

    def wait() -> bytes:
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.settimeout(10)
            try:
                return raw.recv(10)
            except ConnectionResetError:
                return b""

    await beside(wait)
    return float(reactor.seconds() - begin)


async def main(folder: Path) -> None:
    """Run every part of the test once."""
    identity = load_identity(folder / "server", os.urandom)
    listener = serve(folder / "server", identity, 0)
    port = (await listener.start()).port
    pinned = fingerprint(identity.public)

    ann, ears = connect(folder, "Ann", port, pinned)
    await until(lambda: isinstance(ann.status, Online))
    ann.send(ListTables(1))
    ann.send(ListTables(2))
    await until(lambda: Done(2) in ears.heard)
    sizes = [len(said.data) for said in ears.heard if isinstance(said, ExportPart)]
    tell(step="talk", status=status_of(ears), first=str(ears.heard[0]), bytes=sum(sizes))

    bob, bobs = connect(folder, "Bob", port, b"x" * 32)
    await until(lambda: isinstance(bob.status, GaveUp))
    tell(step="wrong identity", status=status_of(bobs), why=getattr(bob.status, "code", ""))

    tell(step="old tls", result=await try_old_tls(port))
    tell(step="silence", seconds=await try_silence(port))

    await listener.stop()
    tell(step="stopped", sessions=listener.session_count)
    again = serve(folder / "server", load_identity(folder / "server", os.urandom), port)
    await again.start()
    came_back = await until(lambda: isinstance(ann.status, Online))
    tell(
        step="came back",
        is_online=came_back,
        count=sum(isinstance(s, Online) for s in ears.statuses) >= 2,
    )

    ann.stop()
    await until(lambda: again.session_count == 0)
    tell(step="left", sessions=again.session_count, status=status_of(ears))
    await again.stop()


run(main, reactor)
