"""A crowd at a server on real sockets with TLS: proxies, a club at one address, and silence.

test_crowd.py runs it as a process of its own; it reports in lines of JSON. The trusted proxy and
the silent connections have other loopback addresses than the players.
"""

import contextlib
import datetime as dt
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast
from unittest import mock

import attrs
from OpenSSL import SSL
from twisted.internet import reactor as installed
from twisted.internet.endpoints import TCP4ServerEndpoint
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread

from client.model.status import Disconnected, Online, Status
from client.net.connection import Connection, Credentials
from client.net.tls import endpoint_for
from client.net.tls import read_exporter as clients_exporter
from protocol.invitation import Address
from protocol.keys import SigningKey
from protocol.login import Hello, LoginRefused, Welcome, decode_login
from protocol.messages import ClientMessage, Done, ListTables, ServerMessage
from server.identity.certificate import own_certificate
from server.net import proxied
from server.net.addresses import network_named
from server.net.context import SessionContext
from server.net.handler import Session
from server.net.limits import Limits, PlaceLimits
from server.net.listener import Listener, SessionFactory
from server.net.tls import ServerTls, read_exporter
from server.system.open_files import allow_open_files, limits_of_this_process
from tests.kit.servers.programs import run, tell
from tests.net.attackers import HOST, Wire, made, patient
from tests.net.login_matrix import IDENTITY, Pin

reactor: Any = installed
PROXY = "127.0.0.2"
CLUB = 60
HEADER_SECONDS = 0.3
SILENT = 1300
FILES_BESIDE = 400
"""
Open files of this process besides the silent connections, both ends of which are in this process.
"""
LINE = b"PROXY TCP4 192.0.2.7 198.51.100.1 56324 4470\r\n"
BINARY = b"\r\n\r\n\0\r\nQUIT\n" + bytes.fromhex("21110010c0000207c6336401dc041176") + b"\x04\0\1x"
LOCAL = b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0"


@attrs.define
class ListeningDesk:
    """A handler that answers everything, and records how the log names each session."""

    names: list[str] = attrs.field(factory=list)

    def connected(self, session: Session) -> None:
        self.names.append(repr(session))

    def received(self, session: Session, message: ClientMessage) -> None:
        session.send(Done(message.serial))

    def disconnected(self, session: Session) -> None:
        pass


async def served(folder: Path, places: PlaceLimits) -> tuple[Listener, ListeningDesk, int]:
    """Start a server that trusts one proxy; return its listener, its handler and its port."""
    desk, limits = ListeningDesk(), Limits(places=places)
    tls = ServerTls.with_certificate(own_certificate(folder, dt.datetime.now(dt.UTC)))
    door = SessionContext(IDENTITY, desk, reactor, os.urandom, read_exporter, limits=limits)
    endpoint = cast("Any", TCP4ServerEndpoint)(reactor, 0, interface=HOST)
    listener = Listener(endpoint, tls, door, (network_named(PROXY),))
    return listener, desk, (await listener.start()).port


# Visits, which block ------------------------------------------------------------------------


@contextlib.contextmanager
def dialled(port: int, source: str, pieces: Sequence[bytes]) -> Iterator[Wire]:
    """Connect from an address, send what precedes TLS piece by piece, and yield the wire."""
    raw = patient(socket.create_connection((HOST, port), source_address=(source, 0)))
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with raw:
        for piece in pieces:
            raw.sendall(piece)
            time.sleep(0.001)
        wire = Wire(SSL.Connection(SSL.Context(SSL.TLS_CLIENT_METHOD), raw))
        wire.tls.set_connect_state()
        yield wire


def logged_in(wire: Wire, key: SigningKey) -> str:
    """Log in, and return the outcome: `welcome`, `closed` or the code of the refusal."""
    try:
        wire.shake()
    except SSL.Error:
        return "no TLS"
    hello = decode_login(wire.frame() or b"", Hello)
    wire.say(made(hello, wire.exporter, key))
    payload = wire.frame()
    if payload is None:
        return "closed"
    answer = decode_login(payload, Welcome, LoginRefused)
    return answer.code if isinstance(answer, LoginRefused) else "welcome"


def visit(port: int, source: str, *pieces: bytes) -> str:
    """Connect and log in once from an address; return the outcome as `logged_in` does."""
    try:
        with dialled(port, source, pieces) as wire:
            return logged_in(wire, SigningKey.from_seed(os.urandom(32)))
    except (ConnectionError, BrokenPipeError):
        return "closed"


def cut(port: int, header: bytes) -> list[str]:
    """Send a header in two pieces, cut at each place in turn; return the outcome of each visit."""
    return [visit(port, PROXY, header[:at], header[at:]) for at in range(1, len(header))]


def what_is_heard(port: int, source: str, data: bytes) -> tuple[int, float]:
    """Send bytes; return how many came back before the end, and the seconds until the end."""
    began = time.monotonic()
    with patient(socket.create_connection((HOST, port), source_address=(source, 0))) as raw:
        heard = 0
        try:
            raw.sendall(data)
            while some := raw.recv(1 << 16):
                heard += len(some)
        except BlockingIOError:
            return heard, -1.0
        except ConnectionError:
            pass
    return heard, time.monotonic() - began


def many_of_one(port: int, count: int, client: bytes) -> list[str]:
    """Log in `count` times from one address named by a proxy, and stay; return each outcome."""
    header = b"PROXY TCP4 %s 198.51.100.1 1 2\r\n" % client
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(dialled(port, PROXY, [header])) for _ in range(count)]
        return [logged_in(wire, SigningKey.from_seed(os.urandom(32))) for wire in wires]


# Proxies ------------------------------------------------------------------------------------


async def meet_proxies(folder: Path) -> None:
    """Connect through the proxy with headers of every form, and also without the proxy."""
    places = PlaceLimits(sessions_per_address=2, header_seconds=HEADER_SECONDS)
    listener, desk, port = await served(folder, places)

    async def beside(call: Callable[..., Any], *args: object) -> Any:
        return await deferToThread(call, port, *args)

    async def seen(source: str, *pieces: bytes) -> tuple[str, str]:
        ended, names = await beside(visit, source, *pieces), desk.names
        return ended, names.pop() if names else ""

    tell(
        step="headers",
        line=await seen(PROXY, LINE),
        binary=await seen(PROXY, BINARY),
        local=await seen(PROXY, LOCAL),
        unknown=await seen(PROXY, b"PROXY UNKNOWN\r\n"),
        direct=await seen(HOST),
    )
    # Each comes when the one before has gone: the limit of an address is not what is tried here.
    for name, header in (("line", LINE), ("binary", BINARY)):
        ends = await beside(cut, header)
        tell(step="cut", name=name, count=len(ends), ends=sorted(set(ends)))
    desk.names.clear()
    tell(
        step="refused",
        none=await seen(PROXY),
        damaged=await seen(PROXY, BINARY[:11] + b"\0" + BINARY[12:]),
        of_a_name=await seen(PROXY, LINE.replace(b"192.0.2.7", b"localhost")),
        spoofed_line=await seen(HOST, LINE),
        spoofed_binary=await seen(HOST, BINARY),
    )
    for name, data in (
        ("silent", b""),
        ("half", LINE[:-1]),
        ("endless", b"PROXY UNKNOWN " + b"x" * (1 << 20)),
        ("announced", BINARY[:14] + b"\xff\xff" + bytes(1 << 20)),
    ):
        heard, seconds = await beside(what_is_heard, PROXY, data)
        tell(step="closed", name=name, heard=heard, seconds=seconds)
    crowded = await beside(many_of_one, 3, b"192.0.2.8")
    tell(step="limits", of_one=crowded, of_another=await beside(many_of_one, 2, b"192.0.2.9"))
    await listener.stop()
    for name, believed in (("everybody is believed", True), ("nobody is", False)):
        with mock.patch.object(proxied, "is_within", lambda *_, is_so=believed: is_so):
            listener, desk, port = await served(folder, places)
            tell(
                step="fault",
                name=name,
                spoofed=await seen(HOST, LINE),
                named=await seen(PROXY, LINE),
            )
            await listener.stop()


# A club and a crowd -------------------------------------------------------------------------


@attrs.define
class Member:
    """A real client of a member of the club."""

    statuses: list[Status] = attrs.field(factory=list)
    heard: list[ServerMessage] = attrs.field(factory=list)
    connection: Any = None

    def status_changed(self, status: Status) -> None:
        self.statuses.append(status)

    def received(self, message: ServerMessage) -> None:
        self.heard.append(message)

    def come(self, port: int, number: int) -> None:
        """Connect with the key of this number."""
        self.connection = Connection(
            endpoint=endpoint_for(reactor, Address(HOST, port)),
            clock=reactor,
            credentials=Credentials(SigningKey.from_seed(number.to_bytes(32)), "Ann", "en"),
            trust=Pin(None),
            listener=self,
            read_exporter=clients_exporter,
            retry_after=lambda _: 600.0,
        )
        self.connection.start()

    @property
    def has_ended(self) -> bool:
        """True if the first attempt has succeeded or failed."""
        return isinstance(self.connection.status, Online | Disconnected)


@attrs.define
class Silence:
    """Connections that send nothing, each from one of many addresses."""

    port: int
    addresses: int
    sockets: list[socket.socket] = attrs.field(factory=list)

    count: int = 0
    """Number of connections so far."""

    async def grow(self, count: int) -> None:
        """Add `count` connections, while the server goes on."""
        for number in range(count):
            self._add()
            if number % 50 == 49:
                await deferLater(reactor, 0.001)

    def renew(self, count: int) -> None:
        """Replace the `count` oldest connections."""
        for _ in range(count):
            self.sockets.pop(0).close()
            self._add()

    def _add(self) -> None:
        raw = socket.socket()
        raw.bind((f"127.0.3.{1 + self.count % self.addresses}", 0))
        raw.setblocking(False)
        raw.connect_ex((HOST, self.port))
        self.sockets.append(raw)
        self.count += 1

    def close(self) -> None:
        for raw in self.sockets:
            raw.close()


async def until(is_so: Callable[[], bool], seconds: float = 30) -> bool:
    """Wait until a condition holds. Returns False if it did not come in time."""
    end = reactor.seconds() + seconds
    while not is_so() and reactor.seconds() < end:
        await deferLater(reactor, 0.005)
    return is_so()


async def meet_silence(folder: Path, addresses: int) -> dict[str, int]:
    """Let a club log in while silent connections keep coming, then again beside its sessions."""
    # They are told apart from those whose time is up.
    listener, _, port = await served(folder, PlaceLimits(crowded_seconds=60))
    gate, silence = listener._sessions.gate, Silence(port, addresses)
    count = (
        allow_open_files(2 * SILENT + FILES_BESIDE, limits_of_this_process()) - FILES_BESIDE
    ) // 2
    await silence.grow(count)
    await until(lambda: gate.waiting_count == gate.limits.handshakes, 5)
    members = [Member() for _ in range(CLUB)]
    for number, member in enumerate(members):
        member.come(port, number)
        await silence.grow(1)
    await until(lambda: all(member.has_ended for member in members))
    online = [member for member in members if isinstance(member.connection.status, Online)]
    for member in online:
        member.connection.send(ListTables(7))
    await until(lambda: all(Done(7) in member.heard for member in online))
    told = {
        "silent": count,
        "online": len(online),
        "answered": sum(Done(7) in member.heard for member in members),
        "waiting": gate.waiting_count,
        "again": await back_again(listener, port),
    }
    for member in members:
        member.connection.stop()
    silence.close()
    await listener.stop()
    return told


async def back_again(listener: Listener, port: int) -> int:
    """Let the club log in again while its first sessions exist; return how many succeed."""
    members = [Member() for _ in range(CLUB)]
    for number, member in enumerate(members):
        member.come(port, number)
    await until(lambda: all(member.has_ended for member in members))
    online = sum(isinstance(member.connection.status, Online) for member in members)
    for member in members:
        member.connection.stop()
    return online


@contextlib.contextmanager
def shut_when_full() -> Iterator[None]:
    """Admit nobody while others wait. A planted fault."""
    build = SessionFactory.buildProtocol

    def build_or_not(self: SessionFactory, addr: object) -> Any:
        is_full = self.gate.waiting_count >= self.gate.limits.handshakes
        return None if is_full else build(self, addr)

    with mock.patch.object(SessionFactory, "buildProtocol", build_or_not):
        yield


async def main(folder: Path) -> None:
    """Run every part of the test once."""
    await meet_proxies(folder)
    tell(step="club", **await meet_silence(folder, addresses=200))
    with shut_when_full():
        tell(step="club at a shut door", **await meet_silence(folder, addresses=200))
    tell(step="end")


if __name__ == "__main__":
    run(main, reactor)
