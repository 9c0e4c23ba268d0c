"""Sending: the system gets at once what it accepts, and the rest in order."""

import socket
from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from twisted.internet.protocol import Protocol

from server.net.sending import EagerServer


@attrs.define
class Poller:
    """A reactor that only records who waits to write."""

    writers: list[object] = attrs.field(factory=list)

    def addReader(self, _: object) -> None:  # noqa: N802 (Twisted's name)
        pass

    def removeReader(self, _: object) -> None:  # noqa: N802 (Twisted's name)
        pass

    def addWriter(self, writer: object) -> None:  # noqa: N802 (Twisted's name)
        if writer not in self.writers:
            self.writers.append(writer)

    def removeWriter(self, writer: object) -> None:  # noqa: N802 (Twisted's name)
        if writer in self.writers:
            self.writers.remove(writer)


@attrs.define
class Pair:
    """A connection: our end, the peer's socket, and the reactor."""

    ours: Any
    theirs: socket.socket
    poller: Poller

    def read(self) -> bytes:
        """Return the bytes that have reached the peer."""
        found = b""
        while True:
            try:
                some = self.theirs.recv(1 << 16)
            except BlockingIOError:
                return found
            if not some:
                return found
            found += some


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Yield a connection on real sockets."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    poller = Poller()
    server: Any = EagerServer
    with theirs:
        made = server(ours, Protocol(), ("local", 1), None, 0, poller)
        yield Pair(made, theirs, poller)
        ours.close()


def test_what_the_system_takes_is_sent_without_a_poll(pair: Pair) -> None:
    for data in (b"one, ", b"", b"two"):
        pair.ours.write(data)

    assert pair.read() == b"one, two"
    assert not pair.poller.writers


def test_what_the_system_does_not_take_waits_and_goes_first(pair: Pair) -> None:
    much = bytes(range(256)) * (1 << 14)
    pair.ours.write(much)
    assert pair.poller.writers == [pair.ours]
    pair.ours.write(b"the end")

    came = b""
    while pair.poller.writers:
        came += pair.read()
        pair.ours.doWrite()
    came += pair.read()

    assert came == much + b"the end"


def test_a_peer_who_is_gone_is_found_by_the_poll(pair: Pair) -> None:
    pair.theirs.close()
    pair.ours.write(b"nobody hears")
    pair.ours.write(b"this")

    assert pair.poller.writers == [pair.ours]
    assert isinstance(pair.ours.doWrite(), Exception)
