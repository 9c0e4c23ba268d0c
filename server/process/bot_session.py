"""
Bot sessions: the client's own bot, connected to the lobby without a network.

A bot receives exactly the messages that a client in its seat would receive.
"""

import random
from collections.abc import Iterable

import attrs

from client.bots.bot import BotPlayer
from client.bots.brains import SENSIBLE
from client.model.model import ClientModel
from client.model.status import Online
from client.net.port import ServerPort
from protocol.messages import ClientMessage, ServerMessage
from protocol.seams import Clock, DelayedCall
from server.kernel.chance import Entropy
from server.net.handler import Account, SessionHandler

PAUSE_SECONDS = 0.05
"""Seconds that a bot waits before it acts, so that people can follow the game."""


@attrs.define(eq=False)
class BotSession:
    """Session of one bot. Implements `server.net.handler.Session`."""

    account: Account
    room_id: str
    handler: SessionHandler
    clock: Clock
    entropy: Entropy = attrs.field(repr=False)
    _inbox: list[ServerMessage] = attrs.field(factory=list, init=False, repr=False)
    _timer: DelayedCall | None = attrs.field(default=None, init=False)
    _is_over: bool = attrs.field(default=False, init=False)
    _port: ServerPort = attrs.field(init=False)
    _player: BotPlayer = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        model = ClientModel(self.account.name, self.account.key)
        self._port = ServerPort(model, _BotConnection(self), lambda: self.entropy.draw(32))
        seed = int.from_bytes(self.entropy.draw(8), "big")
        # Seeds the bot's own choices, which are inputs like anybody's; no rule draws from it.
        rng = random.Random(seed)
        self._player = BotPlayer(self._port, model, SENSIBLE, rng)

    def start(self) -> None:
        self.handler.connected(self)
        self._port.status_changed(Online("", "", ""))
        self._port.enter(self.room_id)

    def stop(self) -> None:
        if not self._is_over:
            self._is_over = True
            if self._timer is not None and self._timer.active():
                self._timer.cancel()
            self.handler.disconnected(self)

    # Towards the lobby

    @property
    def network(self) -> str:
        return ""

    def send(self, message: ServerMessage) -> None:
        if not self._is_over:
            self._inbox.append(message)
            if self._timer is None:
                self._timer = self.clock.callLater(PAUSE_SECONDS, self._read)

    def stream(self, messages: Iterable[ServerMessage]) -> None:
        for message in messages:
            self.send(message)

    def close(self, code: str, reason: str) -> None:
        del code, reason
        # `disconnected` must not come within this call.
        self.clock.callLater(0, self.stop)

    def _read(self) -> None:
        self._timer = None
        inbox, self._inbox = self._inbox, []
        for message in inbox:
            self._port.received(message)


@attrs.define(eq=False)
class _BotConnection:
    """Connection of a bot's port: passes messages to the lobby's handler."""

    session: BotSession
    _serial: int = attrs.field(default=0, init=False)

    def next_serial(self) -> int:
        self._serial += 1
        return self._serial

    def send(self, message: ClientMessage) -> None:
        """Pass a message to the lobby, in the next turn of the reactor."""
        session = self.session
        session.clock.callLater(0, lambda: session.handler.received(session, message))

    def try_again(self) -> None:
        """Do nothing: this connection never breaks."""

    def set_language(self, language: str) -> None:
        """Do nothing: nobody reads a bot's texts."""
