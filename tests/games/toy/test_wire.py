"""Toy over a wire: real connections, logins and frames on a fake clock."""

import random

import attrs
import pytest
from twisted.internet.task import Clock

from client.model.model import ClientModel
from client.model.status import Online
from client.net.connection import Connection, Credentials, NotOnline
from client.net.port import ServerPort
from protocol.common.table import Settings, Stage
from protocol.keys import SigningKey
from protocol.messages import ServerMessage, TableOpened
from server.net.context import SessionContext
from server.net.listener import SessionFactory
from tests.client.test_connection import Faith
from tests.games.every import Person
from tests.games.toy.house import SCENARIO, ToyHouse
from tests.kit.closing import close_for
from tests.kit.servers.memory_network import MemoryNetwork, read_exporter
from tests.kit.servers.people import IDENTITY, counted_bytes
from tests.kit.tables.toy_table import PIECES

pytestmark = pytest.mark.issue(11)


@attrs.define(eq=False)
class Player:
    """Client on a connection, assembled as the program does it."""

    model: ClientModel
    port: ServerPort = attrs.field(init=False)
    heard: list[ServerMessage] = attrs.field(factory=list)

    def status_changed(self, status: object) -> None:
        self.port.status_changed(status)  # type: ignore[arg-type]  # a Status

    def received(self, message: ServerMessage) -> None:
        self.heard.append(message)
        self.port.received(message)


@attrs.define(eq=False)
class Wire:
    """Server of the toy and its network."""

    clock: Clock = attrs.field(factory=Clock)
    house: ToyHouse = attrs.field(init=False)
    network: MemoryNetwork = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.house = ToyHouse(clock=self.clock)
        context = SessionContext(
            IDENTITY, self.house.lobby.sessions, self.clock, counted_bytes(), read_exporter
        )
        self.network = MemoryNetwork(self.clock, SessionFactory(context), slice_bytes=700)

    def player(self, name: str) -> Player:
        key = SigningKey.from_seed(name.encode().ljust(32, b"."))
        player = Player(ClientModel(name, key.public, address="toy.example:4470"))
        connection = Connection(
            endpoint=self.network,
            clock=self.clock,
            credentials=Credentials(key, name, "en"),
            trust=Faith(),
            listener=player,
            read_exporter=read_exporter,
            retry_after=float,
        )
        share = hash_of(name)
        player.port = ServerPort(
            player.model, connection, lambda: share, (NotOnline,), sign=key.sign
        )
        connection.start()
        self.network.settle(0.5)
        assert isinstance(player.model.status, Online)
        return player


def hash_of(name: str) -> bytes:
    """Return 32 bytes that follow from a player's name, as their share of chance."""
    return random.Random(name).randbytes(32)


def test_a_whole_game_is_played_over_a_wire() -> None:
    wire = Wire()
    ann, ben = wire.player("Ann"), wire.player("Ben")
    ann.port.open_table(SCENARIO, Settings())
    wire.network.settle(0.5)
    (opened,) = (message for message in ann.heard if isinstance(message, TableOpened))
    ben.port.join(opened.code)
    wire.network.settle(0.5)
    for player, piece in ((ann, PIECES[0]), (ben, PIECES[1])):
        player.port.claim((piece,))
        wire.network.settle(0.2)
        player.port.set_ready(is_ready=True)
        wire.network.settle(0.2)
    ann.port.start()
    wire.network.settle(1)

    people = [Person(player.model, player.port, random.Random(1)) for player in (ann, ben)]
    for _ in range(100):
        for person in people:
            person.act()
            wire.network.settle(0.1)

    table = next(iter(wire.house.lobby.registry.hosts.values())).room.table
    assert table.room.stage is Stage.OVER
    for seat, player in enumerate((ann, ben)):
        assert player.model.view is not None
        assert player.model.view.table == close_for(table, seat)
