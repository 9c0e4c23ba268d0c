"""Mutated server frames: the client accepts them, or ends the connection with a code.

The frames come from a real table; readable ones go on to the model that screens draw.
"""

import functools
import random
import time
from typing import Final, cast

import pytest

from client.model.model import ClientModel
from client.model.status import Disconnected, GaveUp, Online, Status
from client.net.connection import Connection, NotOnline
from client.net.line import LineProtocol
from client.net.port import ServerPort
from protocol import messages
from protocol.common.table import Settings
from protocol.frames import LIMIT_AFTER_LOGIN, FrameDecoder, encode_frame
from tests.client.test_connection import ME, Faith
from tests.kit.mutating import long_rounds, mutated, reframed
from tests.kit.servers.house import House
from tests.kit.servers.memory_network import read_exporter
from tests.kit.servers.people import bench

pytestmark = pytest.mark.issue(13)

MOST_SECONDS: Final = 0.5
"""Maximum CPU seconds for everything that one connection receives."""


@functools.cache
def heard() -> tuple[bytes, ...]:
    """Return the payloads that a server sends to the host of a table after the login."""
    house = House()
    one = bench(behind=house.lobby.sessions, clock=house.clock)
    host = one.online()
    host.say(messages.ListScenarios(1))
    host.say(messages.OpenTable(2, Settings(), house.scenario_id()))
    one.network.settle(0.3)
    room_id = next(said for said in host.said if isinstance(said, messages.TableOpened)).room_id
    host.say(messages.EnterTable(3, room_id, -1))
    host.say(messages.Chat(4, room_id, "Où est-elle ?"))
    host.say(messages.ListTables(5))
    one.network.settle(0.3)
    return tuple(host.payloads[2:])


def online_client() -> tuple[Connection, LineProtocol, ClientModel]:
    """Return a client that has logged in at a server that sends nothing by itself."""
    one = bench()
    model = ClientModel(ME.name, ME.key.public)
    listener = _Listener()
    connection = Connection(
        endpoint=one.network,
        clock=one.clock,
        credentials=ME,
        trust=Faith(None),
        listener=listener,
        read_exporter=read_exporter,
        retry_after=lambda _: 3600.0,
    )
    listener.port = ServerPort(model, connection, lambda: bytes(32), (NotOnline,))
    connection.start()
    one.network.settle(0.1)
    assert isinstance(connection.status, Online)
    return connection, cast("LineProtocol", connection._line), model


class _Listener:
    """Passes calls on to a port that is created later."""

    port: ServerPort | None = None

    def status_changed(self, status: Status) -> None:
        if self.port is not None:
            self.port.status_changed(status)

    def received(self, message: messages.ServerMessage) -> None:
        if self.port is not None:
            self.port.received(message)


def hear(line: LineProtocol, stream: bytes, dice: random.Random) -> None:
    """Feed a stream to a connection in random slices."""
    while stream:
        size = dice.choice([1, 7, 64, 1024, len(stream)])
        line.dataReceived(stream[:size])
        assert line._frames.waiting_bytes <= LIMIT_AFTER_LOGIN + 4
        stream = stream[size:]


def _mutate(rounds: int, seed: int) -> dict[str, int]:
    """Return how often a client ended with each code; an empty code means that it went on."""
    dice = random.Random(seed)
    counts: dict[str, int] = {}
    for _ in range(rounds):
        connection, line, _model = online_client()
        frames = [encode_frame(payload) for payload in reframed(list(heard()), dice)]
        stream = b"".join(frames)
        if dice.randrange(8) == 0:
            stream = mutated(stream, dice)
        began = time.process_time()
        hear(line, stream, dice)
        assert time.process_time() - began < MOST_SECONDS
        code = line._end[0]
        counts[code] = counts.get(code, 0) + 1
        assert isinstance(connection.status, Online | GaveUp | Disconnected)
    return counts


def _are_ours(counts: dict[str, int]) -> bool:
    return all(not code or code.startswith("protocol/") for code in counts)


def test_what_is_not_mutated_is_taken() -> None:
    """Unmutated frames are accepted, so mutations of them reach the code behind the connection."""
    _, line, model = online_client()

    hear(line, b"".join(map(encode_frame, heard())), random.Random(1))

    assert line._end == ("", "")
    assert model.lobby.scenarios is not None
    assert len(FrameDecoder(LIMIT_AFTER_LOGIN).feed(b"".join(map(encode_frame, heard())))) > 5


def test_mutated_frames_of_a_server_are_taken_or_end_the_line_with_a_code() -> None:
    counts = _mutate(300, seed=1)

    assert _are_ours(counts)
    assert counts[""] > 5
    assert sum(counts.values()) - counts[""] > 5


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(30, 34))
def test_a_hundred_thousand_mutations_reach_the_client_too(seed: int) -> None:
    """`MANSE_MUTATIONS` sets the number of all mutations; this test makes a fifth of them."""
    assert _are_ours(_mutate(long_rounds(20, runs=4), seed=seed))
