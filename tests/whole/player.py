"""A player: one key, the real client on one device after another, and all that it was shown."""

from collections.abc import Callable
from random import Random
from typing import Any

import attrs
from twisted.internet.defer import Deferred

from client.bots.bot import BotPlayer
from client.model.model import ClientModel
from client.model.status import GaveUp, Online, Status
from client.net.connection import Connection, Credentials, NotOnline, backoff_seconds
from client.net.port import ServerPort
from protocol import messages
from protocol.common.table import Settings, Stage
from protocol.event import Cut, read
from protocol.keys import SigningKey, fingerprint
from tests.kit.servers.memory_network import End, MemoryNetwork, read_exporter
from tests.whole.life import IDENTITY, MortalClock

_REPEATED = (
    messages.Answer,
    messages.Vote,
    messages.Consent,
    messages.EnterTable,
    messages.CommitShare,
    messages.OpenShare,
)
"""Messages that mean the same twice: the second is refused, or changes nothing."""


@attrs.define
class Trust:
    """Trust in the only server."""

    def pinned(self) -> bytes | None:
        return fingerprint(IDENTITY.public)

    def learned(self, fingerprint: bytes) -> None:
        pass

    def explain(self, expected: bytes, met: bytes) -> str:
        return f"{met!r} instead of {expected!r}"


@attrs.define(eq=False)
class Way:
    """The route of one device to the server, which may be cut for a while."""

    network: MemoryNetwork
    end: End | None = None
    """The device's end of the latest link."""
    cut_until: float = 0.0

    def connect(self, protocolFactory: Any) -> Deferred[Any]:
        """See `ClientEndpoint.connect`; nothing happens at all while the route is cut."""
        if self.network.clock.seconds() < self.cut_until:
            return Deferred()
        made = self.network.connect(protocolFactory)
        ends = self.network.ends
        # A server or client that hung up at once has no ends any more.
        self.end = ends[-2] if len(ends) > 1 else None
        return made

    def drop(self) -> None:
        """Break the link, as when a cable is pulled and put back."""
        if self.end is not None and not self.end.is_closed:
            self.end.abortConnection()

    def cut(self, seconds: float) -> None:
        """Block both directions for some seconds; neither end is told."""
        self.cut_until = self.network.clock.seconds() + seconds
        if self.end is not None and self.end.peer is not None:
            self.end.held_until = self.end.peer.held_until = self.cut_until


@attrs.define(eq=False)
class Stammering:
    """A connection that sometimes sends messages twice."""

    connection: Connection
    is_stammering: bool = False

    def send(self, message: messages.ClientMessage) -> None:
        self.connection.send(message)
        if self.is_stammering and isinstance(message, _REPEATED):
            self.connection.send(message)

    def next_serial(self) -> int:
        return self.connection.next_serial()

    def set_language(self, language: str) -> None:
        self.connection.set_language(language)

    def try_again(self) -> None:
        self.connection.try_again()


@attrs.define(eq=False)
class Device:
    """A running client of a player."""

    player: "Player"
    way: Way
    clock: MortalClock
    model: ClientModel = attrs.field(init=False)
    port: ServerPort = attrs.field(init=False)
    connection: Connection = attrs.field(init=False)
    line: Stammering = attrs.field(init=False)
    chats: dict[int, str] = attrs.field(factory=dict)
    """Lines of chat that were sent, by serial."""
    parts: dict[int, bytearray] = attrs.field(factory=dict)
    """Parts of exports that arrived, by serial."""
    _bot: BotPlayer | None = attrs.field(default=None, init=False)
    _is_thinking: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        player, clock = self.player, self.clock
        self.model = ClientModel(player.name, player.key.public)
        self.connection = Connection(
            endpoint=self.way,
            clock=clock,
            credentials=Credentials(player.key, player.name, "en"),
            trust=Trust(),
            listener=self,
            read_exporter=read_exporter,
            retry_after=lambda attempt: backoff_seconds(attempt, player.random.random()),
        )
        self.line = Stammering(self.connection)
        self.port = ServerPort(
            self.model,
            self.line,
            lambda: player.random.randbytes(32),
            unsendable=(NotOnline,),
            later=lambda work: clock.callLater(0, work),
            sign=player.key.sign,
        )
        self.model.on_change.append(self._think)

    def status_changed(self, status: Status) -> None:
        if isinstance(status, Online):
            # Whoever comes back tries again what was refused or lost before.
            self._bot = BotPlayer(self.port, self.model, rng=self.player.random)
            self._bot.stop()
            self._bot.party = self.player.party
        self.port.status_changed(status)

    def received(self, message: messages.ServerMessage) -> None:
        self.player.heard(self, message)
        self.port.received(message)

    def chat(self, words: str) -> None:
        """Send a unique line of chat."""
        serial = self.connection.next_serial()
        try:
            self.connection.send(messages.Chat(serial, self.port.room_id(), words))
        except NotOnline:
            return
        self.chats[serial] = words

    def export(self) -> None:
        """Request the game as a file."""
        if self.model.is_online and self.port.room_id():
            serial = self.connection.next_serial()
            self.parts[serial] = bytearray()
            self.connection.send(messages.ExportTable(serial, self.port.room_id()))

    def go_back(self) -> None:
        """Propose to go back to some checkpoint; all others agree once they are asked."""
        view = self.model.view
        if view is not None and view.seat is not None and view.table.checkpoints:
            self.port.propose_take_back(self.player.random.choice(sorted(view.table.checkpoints)))

    def end(self) -> None:
        """End the client without a goodbye."""
        self.clock.die()
        self.model.on_change.clear()

    def _think(self) -> None:
        if not self._is_thinking:
            self._is_thinking = True
            self.clock.callLater(self.player.random.uniform(0.1, 3.0), self._act)

    def _act(self) -> None:
        self._is_thinking = False
        if self.model.is_online and not self.player.is_resting:
            self.player.find_table(self)
            if self._bot is not None:
                self._bot.react()


@attrs.define(eq=False)
class Player:
    """A player of a story."""

    number: int
    random: Random
    party: int
    """Number of seats that the host waits for; 0 for a guest."""
    bots: int
    """Number of seats at the host's table that bots take."""
    host: "Player | None"
    """Host whose table the player joins; None for the host."""
    note: Callable[[int, messages.ServerMessage], None]
    """Called with every message that arrives."""
    settings: Settings = attrs.field(factory=Settings)
    """Settings of the host's table."""
    is_watching: bool = False
    """True if the player only watches, at the host's table."""
    devices: list[Device] = attrs.field(factory=list)
    shown: dict[tuple[str, int, int], Cut] = attrs.field(factory=dict)
    """The records that were shown, by room, seat and sequence."""
    done: set[str] = attrs.field(factory=set)
    """Words that were sent and acknowledged."""
    is_resting: bool = False
    """True if the player does nothing any more."""
    faults: list[str] = attrs.field(factory=list)
    codes: dict[str, str] = attrs.field(factory=dict)
    """Codes of invitations to a seat, by room."""
    watch_codes: dict[str, str] = attrs.field(factory=dict)
    """Codes of invitations to spectate, by room."""
    exports: list[tuple[str, bytes]] = attrs.field(factory=list)
    """Files of games that arrived whole, with their rooms."""

    @property
    def name(self) -> str:
        """The player's name."""
        return f"Player {self.number}"

    @property
    def key(self) -> SigningKey:
        return SigningKey.from_seed(bytes([self.number + 1]) * 32)

    @property
    def device(self) -> Device:
        """The device in use."""
        return self.devices[-1]

    def begin(self, way: Way, clock: MortalClock) -> None:
        """Begin to use another device, which has only the key."""
        self.devices.append(Device(self, way, clock))
        self.device.connection.start()

    def find_table(self, device: Device) -> None:
        """Go to the table: open it, join it, or return to it; a host also seats the bots."""
        model = device.model
        if model.sent:
            return
        view = model.view
        if view is None:
            self._sit_down(device)
        elif self.host is None and view.table.room.stage is Stage.LOBBY:
            seats = view.table.room.seats.values()
            if sum(seat.is_bot for seat in seats) < self.bots:
                device.port.add_bot()

    def _sit_down(self, device: Device) -> None:
        model = device.model
        if model.lobby.tables:
            device.port.enter(min(line.room_id for line in model.lobby.tables))
        elif model.lobby.tables is None or model.lobby.scenarios is None:
            return
        elif self.host is None:
            device.port.open_table(model.lobby.scenarios[0].scenario, self.settings)
        elif self.is_watching:
            if self.host.watch_codes:
                device.port.watch(self.host.watch_codes[min(self.host.watch_codes)])
        elif self.host.codes:
            device.port.join(self.host.codes[min(self.host.codes)])
            device.port.list_tables()

    def heard(self, device: Device, message: messages.ServerMessage) -> None:
        """Record a message from the server."""
        self.note(self.number, message)
        if isinstance(message, messages.Done) and message.serial in device.chats:
            self.done.add(device.chats[message.serial])
        if isinstance(message, messages.TableOpened):
            self.codes[message.room_id] = message.code
            if message.watch_code:
                self.watch_codes[message.room_id] = message.watch_code
        if isinstance(message, messages.ExportPart) and message.serial in device.parts:
            device.parts[message.serial] += message.data
            if message.is_last:
                self.exports.append((message.room_id, bytes(device.parts.pop(message.serial))))
        if isinstance(message, messages.Records):
            self._see(device, message)

    def _see(self, device: Device, message: messages.Records) -> None:
        view = device.model.view
        seat = -1 if view is None or view.seat is None else view.seat
        for one in message.cuts:
            place = (message.room_id, seat, read(message.room_id, one).sequence)
            before = self.shown.setdefault(place, one)
            if before != one:
                self.faults.append(f"{self.name} was shown another record at {place}")

    def has_given_up(self) -> bool:
        """True if the client will never try again."""
        return isinstance(self.device.connection.status, GaveUp)
