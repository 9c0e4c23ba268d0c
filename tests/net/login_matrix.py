"""Every attack on a login, over real sockets with TLS, and with every guard removed once.

test_login_matrix.py runs it as a process of its own. It reports the outcome of each attack as a
line of JSON; then, for each fault planted in the code, the attacks that succeed.
"""

import contextlib
import datetime as dt
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, cast
from unittest import mock

import attrs
from OpenSSL import SSL
from twisted.internet import reactor as installed
from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.endpoints import TCP4ServerEndpoint
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread

from client.model.status import Connecting, LoggingIn, Online, Status
from client.net.connection import Connection, Credentials
from client.net.tls import endpoint_for
from client.net.tls import read_exporter as clients_exporter
from protocol import codec, keys, login
from protocol.invitation import Address
from protocol.keys import SigningKey, fingerprint
from protocol.login import VERSIONS, Hello, Login, LoginRefused, Welcome, decode_login, encode_login
from protocol.messages import ClientMessage, ServerMessage
from server.identity.certificate import FILE_NAME, own_certificate
from server.net.context import SessionContext
from server.net.handler import Session
from server.net.listener import Listener
from server.net.tls import ServerTls, read_exporter
from tests.kit.servers.programs import run, tell
from tests.net import attackers
from tests.net.attackers import ANYBODYS_KEY, ANYBODYS_SIGNATURE, HOST, MALLORY, Door, dialled, made

reactor: Any = installed
IDENTITY = SigningKey.from_seed(b"i" * 32)
PLAYER = SigningKey.from_seed(b"p" * 32)
OTHER = SigningKey.from_seed(b"o" * 32)


# The two honest ends -----------------------------------------------------------------------


@attrs.define
class CountingDesk:
    """A handler that records who was let in."""

    let_in: list[bytes] = attrs.field(factory=list)

    def connected(self, session: Session) -> None:
        self.let_in.append(session.account.key)

    def received(self, session: Session, message: ClientMessage) -> None:
        pass

    def disconnected(self, session: Session) -> None:
        pass


@attrs.define
class Pin:
    """Trust in one fingerprint, or in every server."""

    expected: bytes | None

    def pinned(self) -> bytes | None:
        return self.expected

    def learned(self, fingerprint: bytes) -> None:
        pass

    def explain(self, expected: bytes, met: bytes) -> str:
        return f"{expected!r} is not {met!r}"


class Deaf:
    """A listener that ignores everything."""

    def status_changed(self, status: Status) -> None:
        pass

    def received(self, message: ServerMessage) -> None:
        pass


@attrs.frozen
class Target:
    """A server, and the place of what an attacker may have stolen from it."""

    port: int
    desk: CountingDesk
    folder: Path

    @property
    def stolen(self) -> bytes:
        """The server's certificate and its private key."""
        return (self.folder / FILE_NAME).read_bytes()


@attrs.frozen
class Outcome:
    """The outcome of an attack."""

    is_through: bool
    """True if the attacker got an open session, or a byte of the client's."""
    code: str
    """Code with which the honest end refused; empty if it only closed."""


async def served(folder: Path) -> tuple[Listener, Target]:
    """Start a server on a free port."""
    desk = CountingDesk()
    tls = ServerTls.with_certificate(own_certificate(folder, dt.datetime.now(dt.UTC)))
    door = SessionContext(IDENTITY, desk, reactor, os.urandom, read_exporter)
    endpoint = cast("Any", TCP4ServerEndpoint)(reactor, 0, interface=HOST)
    listener = Listener(endpoint, tls, door)
    return listener, Target((await listener.start()).port, desk, folder)


async def status_at(port: int, pinned: bytes | None) -> Status:
    """Let a client log in once; return its last status."""
    connection = Connection(
        endpoint=endpoint_for(reactor, Address(HOST, port)),
        clock=reactor,
        credentials=Credentials(PLAYER, "Ann", "en"),
        trust=Pin(pinned),
        listener=Deaf(),
        read_exporter=clients_exporter,
        retry_after=lambda _: 60.0,
    )
    connection.start()
    while isinstance(connection.status, Connecting | LoggingIn):
        await deferLater(reactor, 0.002)
    status = connection.status
    connection.stop()
    return status


async def lured(attack: Callable[[Door], int], pinned: SigningKey | bytes | None) -> Outcome:
    """Lead a client to an attacker's port; return the outcome."""
    door = Door.open()
    attacked = deferToThread(attack, door)
    expected = pinned.public if isinstance(pinned, SigningKey) else pinned
    status = await status_at(door.port, None if expected is None else fingerprint(expected))
    said_bytes = await attacked
    is_through = isinstance(status, Online) or said_bytes > 0
    return Outcome(is_through, getattr(status, "code", ""))


# Attacks -----------------------------------------------------------------------------------


def answered(port: int, make: Callable[[Hello, bytes], tuple[bytes, ...]]) -> list[bytes]:
    """Answer a server's hello with the result of `make`; return the server's replies."""
    with dialled(port) as wire:
        wire.shake()
        hello = decode_login(wire.frame() or b"", Hello)
        wire.say(*make(hello, wire.exporter))
        return [payload for payload in (wire.frame(),) if payload is not None]


def outcome_of(replies: list[bytes]) -> Outcome:
    """Return the outcome that the server's replies to a login show."""
    if not replies:
        return Outcome(is_through=False, code="")
    answer = decode_login(replies[0], Welcome, LoginRefused)
    return Outcome(isinstance(answer, Welcome), getattr(answer, "code", ""))


def forged(**changed: bytes) -> Callable[[Target], Awaitable[Outcome]]:
    """Return an attack by a login in which other values are signed or claimed."""

    def try_it(port: int) -> Outcome:
        return outcome_of(answered(port, lambda hello, exporter: (login_with(hello, exporter),)))

    def login_with(hello: Hello, exporter: bytes) -> bytes:
        return made(hello, exporter, MALLORY, changed)

    return lambda target: deferToThread(try_it, target.port)


def under_the_label_of_a_hello(port: int) -> Outcome:
    """Sign the right values under the label of a server's signature."""

    def make(hello: Hello, exporter: bytes) -> tuple[bytes, ...]:
        signed = codec.pack((login._HELLO_LABEL, hello.identity, hello.nonce, exporter))
        signature = MALLORY.sign(signed)
        return (encode_login(Login(VERSIONS, MALLORY.public, "Mallory", "en", signature)),)

    return outcome_of(answered(port, make))


def replayed(port: int) -> Outcome:
    """Send again a login that succeeded a moment ago."""
    heard: list[bytes] = []

    def first(hello: Hello, exporter: bytes) -> tuple[bytes, ...]:
        heard.append(made(hello, exporter, PLAYER))
        return tuple(heard)

    assert outcome_of(answered(port, first)).is_through
    return outcome_of(answered(port, lambda _, __: tuple(heard)))


def crossed(port: int) -> Outcome:
    """Begin two logins with one key at once, and send on each the login made for the other."""
    with dialled(port) as one, dialled(port) as other:
        logins = []
        for wire in (one, other):
            wire.shake()
            hello = decode_login(wire.frame() or b"", Hello)
            logins.append(made(hello, wire.exporter, PLAYER))
        one.say(logins[1])
        other.say(logins[0])
        outcomes = [outcome_of([wire.frame() or b""]) for wire in (one, other)]
    return Outcome(any(one.is_through for one in outcomes), outcomes[0].code)


async def said_twice(target: Target) -> Outcome:
    """Send a login twice in one write; the second must open no session but end the first."""
    before = len(target.desk.let_in)

    def try_it() -> int:
        with dialled(target.port) as wire:
            wire.shake()
            hello = decode_login(wire.frame() or b"", Hello)
            good = made(hello, wire.exporter, PLAYER)
            wire.say(good, good)
            replies = []
            while (reply := wire.frame()) is not None:
                replies.append(reply)
            return len(replies)

    replies = await deferToThread(try_it)
    opened = len(target.desk.let_in) - before
    return Outcome(opened != 1 or replies != 2, "")


def with_anybodys_key(port: int) -> Outcome:
    """Log in with a key of small order, for which anybody can sign."""
    claim = Login(VERSIONS, ANYBODYS_KEY, "Mallory", "en", ANYBODYS_SIGNATURE)
    return outcome_of(answered(port, lambda _, __: (encode_login(claim),)))


def with_old_tls(port: int) -> Outcome:
    """Try a handshake by TLS 1.2."""
    with dialled(port, SSL.TLS1_2_VERSION) as wire:
        return Outcome(attackers.has_shaken(wire), "")


def relaying(pem: Callable[[Target], bytes], pinned: SigningKey | None) -> Any:
    """Return an attack by a relay between a client and the server."""

    async def attack(target: Target) -> Outcome:
        before = len(target.desk.let_in)
        stolen = pem(target)
        outcome = await lured(lambda door: attackers.relay(door, target.port, stolen), pinned)
        return attrs.evolve(
            outcome, is_through=outcome.is_through or len(target.desk.let_in) > before
        )

    return attack


def serving_falsely(identity: bytes, sign: Callable[[bytes], bytes], pinned: bytes) -> Any:
    """Return an attack by a server that claims `identity` on a client that expects `pinned`."""
    return lambda _: lured(lambda door: attackers.false_server(door, identity, sign), pinned)


def by_thread(attack: Callable[[int], Outcome]) -> Callable[[Target], Awaitable[Outcome]]:
    """Return an attack that needs only the port, run in a thread."""
    return lambda target: deferToThread(attack, target.port)


ATTACKS: dict[str, Callable[[Target], Awaitable[Outcome]]] = {
    "relay": relaying(lambda _: attackers.pem_of_own_certificate(), IDENTITY),
    "relay with the stolen certificate": relaying(lambda target: target.stolen, IDENTITY),
    "relay at the first meeting": relaying(lambda target: target.stolen, None),
    "replay": by_thread(replayed),
    "other nonce": forged(nonce=b"x" * 32),
    "other server": forged(identity=OTHER.public),
    "no exporter": forged(exporter=bytes(32)),
    "other key": forged(public=PLAYER.public),
    "other label": by_thread(under_the_label_of_a_hello),
    "two logins crossed": by_thread(crossed),
    "login said twice": said_twice,
    "old TLS of a client": by_thread(with_old_tls),
    "old TLS of a server": lambda _: lured(attackers.old_server, None),
    "changed pin": serving_falsely(OTHER.public, OTHER.sign, IDENTITY.public),
    "stolen name": serving_falsely(IDENTITY.public, OTHER.sign, IDENTITY.public),
    "small-order player": by_thread(with_anybodys_key),
    "small-order server": serving_falsely(ANYBODYS_KEY, lambda _: ANYBODYS_SIGNATURE, ANYBODYS_KEY),
}


async def let_in_honestly(target: Target) -> dict[str, object]:
    """Return the outcomes of honest clients, without which all other outcomes prove nothing."""
    pinned = fingerprint(IDENTITY.public)
    direct = await status_at(target.port, pinned)
    door = Door.open()
    passing = deferToThread(attackers.passed_on, door, target.port)
    passed_on = await status_at(door.port, pinned)
    await passing
    before = len(target.desk.let_in)
    racing: list[Deferred[Status]] = [
        Deferred.fromCoroutine(status_at(target.port, pinned)) for _ in range(2)
    ]
    both = await gatherResults(racing)
    return {
        "direct": type(direct).__name__,
        "passed on as it is": type(passed_on).__name__,
        "racing": [type(status).__name__ for status in both],
        "sessions of the racing": len(target.desk.let_in) - before,
    }


# Faults ------------------------------------------------------------------------------------


def no_channel() -> Any:
    """Plant a fault: neither end checks which connection a login is for."""
    return mock.patch.object(SSL.Connection, "export_keying_material", return_value=bytes(32))


@contextlib.contextmanager
def nothing_fresh() -> Iterator[None]:
    """Plant a fault: nonces and exporter values never change."""
    with no_channel(), mock.patch.object(os, "urandom", bytes):
        yield


@contextlib.contextmanager
def any_key() -> Iterator[None]:
    """Plant a fault: nobody checks the order of a key."""
    with (
        mock.patch.object(keys, "check_key", return_value=None),
        mock.patch.object(login, "check_key", return_value=None),
    ):
        yield


def signed_without(place: int) -> Any:
    """Plant a fault: one value of the client's signature, by its place, is not signed."""
    signed = login.login_preimage

    def preimage(*values: bytes) -> bytes:
        return signed(*(b"" if at == place else value for at, value in enumerate(values)))

    return mock.patch.object(login, "login_preimage", preimage)


def no_pin() -> Any:
    """Plant a fault: the client forgets its pinned fingerprint."""
    start = Connection._start_login
    return mock.patch.object(
        Connection, "_start_login", lambda self, transport, _: start(self, transport, None)
    )


FAULTS: dict[str, Callable[[], Any]] = {
    "any signature is taken": lambda: mock.patch.object(login, "is_signed", return_value=True),
    "the channel is not bound": no_channel,
    "nothing is fresh": nothing_fresh,
    "the nonce is not signed": lambda: signed_without(1),
    "the server is not signed": lambda: signed_without(0),
    "both ends sign under one label": lambda: mock.patch.object(
        login, "_LOGIN_LABEL", login._HELLO_LABEL
    ),
    "any TLS is spoken": lambda: mock.patch.object(
        SSL.Context, "set_min_proto_version", return_value=None
    ),
    "no server is pinned": no_pin,
    "any key is taken": any_key,
}


# The run -----------------------------------------------------------------------------------


async def tried(folder: Path) -> tuple[dict[str, Outcome], dict[str, object]]:
    """Try every attack on a server of its own; return the outcomes, and those of honest clients."""
    listener, target = await served(folder)
    outcomes = {name: await attack(target) for name, attack in ATTACKS.items()}
    honest = await let_in_honestly(target)
    await listener.stop()
    return outcomes, honest


async def main(folder: Path) -> None:
    """Run everything once."""
    outcomes, honest = await tried(folder)
    tell(step="honest", **honest)
    for name, outcome in outcomes.items():
        tell(step="attack", name=name, **attrs.asdict(outcome))
    for name, planted in FAULTS.items():
        with planted():
            outcomes, _ = await tried(folder)
        tell(step="fault", name=name, through=[n for n, o in outcomes.items() if o.is_through])
    tell(step="end")


if __name__ == "__main__":
    run(main, reactor)
