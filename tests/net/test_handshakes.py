"""Handshakes: if many are requested at once, they are done turn by turn."""

import datetime as dt
import os
from pathlib import Path
from typing import Any, cast

import pytest
from OpenSSL import SSL
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from server.identity.certificate import own_certificate
from server.net.context import SessionContext
from server.net.limits import Limits
from server.net.listener import GuardedTls, SessionFactory
from server.net.scheduling import FairScheduler
from server.net.session import SessionPhase, WireSession
from server.net.tls import ServerTls, read_exporter
from tests.kit.servers.people import IDENTITY, RecordingDesk

CLIENTS = 30


class StepClock(Clock):
    """A clock whose due calls are made by the test, turn by turn."""

    def turn(self) -> None:
        """Make the calls that were due when the turn began."""
        calls: Any = self.getDelayedCalls()
        due = [call for call in calls if call.getTime() <= self.seconds()]
        for call in due:
            self.calls.remove(call)
            call.called = 1
            call.func(*call.args, **call.kw)


@pytest.fixture
def tls(tmp_path: Path) -> ServerTls:
    """Return the server's TLS settings."""
    return ServerTls.with_certificate(own_certificate(tmp_path, dt.datetime.now(dt.UTC)))


def factory_of(tls: ServerTls, clock: Clock, scheduler: FairScheduler) -> tuple[Any, Any]:
    """Return two factories: of the server's ends with TLS, and of their sessions."""
    context = SessionContext(
        IDENTITY,
        RecordingDesk(),
        clock,
        os.urandom,
        read_exporter,
        limits=Limits(),
        scheduler=scheduler,
    )
    sessions = SessionFactory(context)
    return GuardedTls(cast("Any", tls), False, cast("Any", sessions), cast("Any", clock)), sessions


def hello() -> tuple[SSL.Connection, bytes]:
    """Return a TLS client and the first bytes that it sends."""
    client = SSL.Connection(SSL.Context(SSL.TLS_CLIENT_METHOD), None)
    client.set_connect_state()
    with pytest.raises(SSL.WantReadError):
        client.do_handshake()
    return client, client.bio_read(1 << 16)


def connected(factory: Any) -> tuple[Any, Any]:
    transport: Any = cast("Any", StringTransport)(peerAddress=IPv4Address("TCP", "192.0.2.1", 9))
    transport.setTcpNoDelay = lambda _: None
    end = factory.buildProtocol(transport.getPeer())
    end.makeConnection(transport)
    return end, transport


@pytest.mark.issue(13)
def test_of_many_handshakes_as_many_are_made_in_a_turn_as_fit(tls: ServerTls) -> None:
    clock, seconds = StepClock(), iter(range(100_000))
    # Each look at the time is a second later: one piece of work fills a turn.
    factory, _ = factory_of(tls, clock, FairScheduler(clock, lambda: next(seconds)))
    ends = [connected(factory) for _ in range(CLIENTS)]
    for end, _ in ends:
        end.dataReceived(hello()[1])

    answered = []
    for _ in range(CLIENTS):
        answered.append(sum(bool(transport.value()) for _, transport in ends))
        assert [t.producerState for _, t in ends].count("paused") == CLIENTS - answered[-1]
        clock.turn()

    assert answered == list(range(CLIENTS))
    assert all(transport.value() for _, transport in ends)


@pytest.mark.issue(13)
def test_a_handshake_that_waited_is_whole(tls: ServerTls) -> None:
    clock = StepClock()
    factory, sessions = factory_of(tls, clock, FairScheduler(clock))
    end, transport = connected(factory)
    client, begin = hello()
    for at in range(len(begin)):
        end.dataReceived(begin[at : at + 1])
    clock.turn()
    client.bio_write(transport.value())
    client.do_handshake()

    end.dataReceived(client.bio_read(1 << 16))
    clock.turn()

    [session] = sessions.sessions
    assert isinstance(session, WireSession)
    assert session.phase is SessionPhase.LOGIN


@pytest.mark.issue(13)
def test_a_connection_that_is_lost_before_its_turn_is_forgotten(tls: ServerTls) -> None:
    clock = StepClock()
    factory, sessions = factory_of(tls, clock, FairScheduler(clock))
    end, transport = connected(factory)
    end.dataReceived(hello()[1])

    end.connectionLost(cast("Any", Failure)(ConnectionDone()))
    clock.turn()

    # An alert at most, which TLS sends by itself.
    assert len(transport.value()) < 10
    assert sessions.sessions == {}
    assert not clock.getDelayedCalls()


@pytest.mark.issue(13)
def test_a_session_that_reads_no_more_stops_the_socket_below_tls(tls: ServerTls) -> None:
    """Unread bytes stay with the sender instead of filling the memory of TLS."""
    clock = StepClock()
    factory, sessions = factory_of(tls, clock, FairScheduler(clock))
    end, transport = connected(factory)
    [session] = sessions.sessions

    session.transport.pauseProducing()
    was = transport.producerState
    session.transport.resumeProducing()

    assert session.transport is end
    assert (was, transport.producerState) == ("paused", "producing")
