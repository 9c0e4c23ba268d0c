"""
A whole server in one process, on a fake clock: real lobby, rooms, rules and content.

The store is in memory, and sessions are lists of sent messages. `House.restart` ends the server as
a power cut would: what was not stored is lost.
"""

import hashlib
import math
import random
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import attrs
from twisted.internet.task import Clock

from client.bots.bot import BotPlayer
from client.bots.brains import SENSIBLE
from client.cache.table_cache import TableCache
from client.locale import load
from client.model.model import ClientModel
from client.model.status import Online
from client.net.port import ServerPort
from client.plugs.brains import Brain
from content.plugs.kind import LoadedPack
from protocol import messages as say
from protocol.common.table import Settings
from protocol.event import Stored
from protocol.keys import SigningKey
from protocol.messages import ClientMessage, ServerMessage
from server.kernel.chance import MakeChance
from server.lobby.lobby import Lobby
from server.lobby.rooms.host import RoomHost
from server.lobby.services.seams import LobbyServices
from server.net.handler import Account, SessionHandler
from server.packs.shelf import PackShelf
from server.process.bot_session import BotSession
from tests.games.second_edition.simulate import SeededEntropy, core
from tests.kit.stores.memory import MemoryStore

M = TypeVar("M", bound=ServerMessage)


@attrs.define(eq=False)
class FakeSession:
    """A client's session as the lobby sees it; records sent messages."""

    account: Account
    sent: list[ServerMessage] = attrs.field(factory=list)
    goodbye: str = ""
    hear: Any = None
    """Called with each message, if given."""
    network: str = "192.0.2.1"

    def send(self, message: ServerMessage) -> None:
        self.sent.append(message)
        if self.hear is not None:
            self.hear(message)

    def stream(self, messages: Iterable[ServerMessage]) -> None:
        for message in messages:
            self.send(message)

    def close(self, code: str, reason: str) -> None:
        del reason
        self.goodbye = code

    def all(self, kind: type[M]) -> list[M]:
        """Return every message of one kind."""
        return [message for message in self.sent if isinstance(message, kind)]

    def last(self, kind: type[M]) -> M:
        """Return the latest message of one kind."""
        return self.all(kind)[-1]


@cache
def key_of(name: str) -> SigningKey:
    """Return a person's key, derived from the name."""
    return SigningKey.from_seed(hashlib.sha256(name.encode()).digest())


@attrs.define(eq=False)
class Client:
    """A person's client: model and port over a fake session."""

    house: "House"
    session: FakeSession
    model: ClientModel
    cache: TableCache | None = None
    port: ServerPort = attrs.field(init=False)
    serial: int = 0

    def __attrs_post_init__(self) -> None:
        self.port = ServerPort(
            self.model,
            self,
            lambda: self.house.entropy.draw(32),
            cache=self.cache,
            later=lambda work: self.house.clock.callLater(0, work),
            sign=key_of(self.model.name).sign,
        )
        self.session.hear = lambda message: self.house.clock.callLater(
            0, lambda: self.port.received(message)
        )

    def next_serial(self) -> int:
        self.serial += 1
        return self.serial

    def send(self, message: ClientMessage) -> None:
        """Send a message to the server, at the next turn of the clock."""
        self.house.clock.callLater(
            0, lambda: self.house.lobby.sessions.received(self.session, message)
        )

    def try_again(self) -> None:
        self.connect()

    def set_language(self, language: str) -> None:
        """Use another language from the next login on."""
        self.session.account = attrs.evolve(self.session.account, language=language)

    def connect(self) -> None:
        self.house.lobby.sessions.connected(self.session)
        self.port.status_changed(Online("", "", ""))
        self.house.settle()

    def disconnect(self) -> None:
        """Disconnect without a goodbye."""
        self.session.hear = None
        self.house.lobby.sessions.disconnected(self.session)
        self.house.settle()


@attrs.define(eq=False)
class House:
    """The server and its clients."""

    store: MemoryStore = attrs.field(factory=MemoryStore)
    clock: Clock = attrs.field(factory=Clock)
    entropy: SeededEntropy = attrs.field(factory=lambda: SeededEntropy(1))
    wall_began: int = 1_700_000_000_000
    """Wall clock in milliseconds since 1970 at the moment when `clock` is 0."""
    make_chance: MakeChance | None = attrs.field(default=None, kw_only=True)
    """Makes the chance of the rooms; None for the chance of a server."""
    lobby: Lobby = attrs.field(init=False)
    identity: SigningKey = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.identity = SigningKey.from_seed(b"i" * 32)
        self.open()

    def open(self) -> None:
        """Start a server on the content of the store."""
        self.lobby = self._new_lobby()
        loading = self.lobby.load()
        try:
            loading.send(None)
        except StopIteration:
            return
        raise AssertionError("the memory store answers at once")

    def content(self) -> LoadedPack:
        """Return the pack that is served."""
        return core()

    def scenario_id(self) -> str:
        """Return the scenario that a table plays by default."""
        return next(iter(core().scenarios))

    def beside(self) -> tuple[LoadedPack, ...]:
        """Return the packs that the server offers beside `content`."""
        return ()

    def _new_lobby(self) -> Lobby:
        services = self._services()
        return Lobby(services, sign=self.identity.sign, public=self.identity.public)

    def _services(self) -> LobbyServices:
        shelf = PackShelf()
        for pack in (self.content(), *self.beside()):
            shelf.add(pack)
        return LobbyServices(
            store=self.store,
            shelf=shelf,
            clock=self.clock,
            now=lambda: self.wall_began + int(self.clock.seconds() * 1000),
            entropy=self.entropy,
            make_bot=self._make_bot,
            make_chance=self.make_chance,
        )

    def _make_bot(self, key: bytes, name: str, room_id: str, handler: SessionHandler) -> BotSession:
        return BotSession(Account(key, name, "en"), room_id, handler, self.clock, self.entropy)

    def restart(self) -> None:
        """Kill the server and start it again with a clock at 0; all clients are disconnected."""
        self.lobby.close()
        self.clock = Clock()
        self.open()

    def restart_after(self, seconds: float) -> None:
        """Kill the server, and start it again `seconds` later."""
        self.lobby.close()
        later = Clock()
        later.advance(self.clock.seconds() + seconds)
        self.clock = later
        self.open()

    def settle(self, seconds: float = 1.0) -> None:
        """Advance the clock in small steps, so that all that is under way happens."""
        left = int(seconds * 20)
        while left:
            clock = self.clock
            due = min((call.getTime() for call in clock.calls), default=math.inf)
            # Steps in which nothing is due: most of them.
            while left and clock.rightNow + 0.05 < due:
                clock.rightNow += 0.05
                left -= 1
            if left:
                clock.advance(0.05)
                left -= 1

    def client(self, name: str, *, language: str = "en", folder: Path | None = None) -> Client:
        """Return a logged-in client; `folder` is for its cache of tables, None for no cache."""
        key = key_of(name).public
        session = FakeSession(Account(key, name, language))
        model = ClientModel(name, key, locale=load(language))
        cache = None if folder is None else TableCache(folder, key)
        client = Client(self, session, model, cache)
        client.connect()
        return client

    def bot(self, client: Client, seed: int = 1, brain: Brain = SENSIBLE) -> BotPlayer:
        """Let a bot play for a client from now on."""
        player = BotPlayer(client.port, client.model, brain, random.Random(seed))
        player.react()
        return player

    def host_of(self, client: Client) -> RoomHost:
        """Return the room that a client follows."""
        assert client.model.view is not None
        return self.lobby.registry.hosts[client.model.view.room_id]

    def log_of(self, room_id: str) -> list[Stored]:
        """Return the whole log of a room, as the store has it."""
        return list(self.store._logs.get(room_id, ()))

    def open_table(self, client: Client, settings: Settings | None = None) -> str:
        """Open a table, and return the code of its invitation."""
        client.port.open_table(self.scenario_id(), settings or Settings())
        self.settle()
        return client.session.last(say.TableOpened).code

    def join(self, client: Client, code: str) -> None:
        client.port.join(code)
        self.settle()
