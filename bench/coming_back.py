"""
Rows about who comes to a table that was played for long: until the client has drawn it.

The real server and the real client's model, journal and screen are in one process, so that its CPU
time is that of both; the network between them is left out.
"""

import time
from pathlib import Path
from typing import Final

from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from bench.lines import Line
from bench.screens import COLUMNS, ROWS
from bench.within import Within
from client.cache.table_cache import TableCache
from client.locale import load
from client.model.model import ClientModel
from client.model.status import Online
from client.net.port import ServerPort
from client.screens.ui import Typed
from client.terminal.app import make_terminal
from protocol import messages
from protocol.keys import SigningKey
from protocol.messages import ServerMessage

NAMES: Final = ("catch_up_s_10000", "come_back_s_10000")


class Comer(Line):
    """A player's connection with the model and screen of the client behind it."""

    def __init__(self, server: Within, name: str, key: SigningKey, folder: Path) -> None:
        """
        Prepare; `connect` connects.

        Args:
            server: where the table is.
            name: of the player.
            key: of the player.
            folder: where the client keeps what tables show.
        """
        super().__init__(server.outside, name, key)
        self.server = server
        self.model = ClientModel(name, key.public, load("en"), "example:4470")
        self.port = ServerPort(
            self.model,
            self,
            lambda: bytes(32),
            cache=TableCache(folder, key.public),
            later=lambda work: server.outside.callLater(0, work),
        )

    def next_serial(self) -> int:
        """See `PortConnection`."""
        self._serial += 1
        return self._serial

    def send(self, message: messages.ClientMessage) -> None:
        """See `PortConnection`."""
        self._line.send(message)

    def try_again(self) -> None:
        """Nobody is away."""

    def set_language(self, language: str) -> None:
        """See `PortConnection`; nobody logs in again."""

    def line_said(self, line: object, message: ServerMessage) -> None:
        """Hand on what the server says."""
        if getattr(message, "serial", None) in self._replies:
            super().line_said(line, message)  # type: ignore[arg-type]  # it looks at none of it
        else:
            self.port.received(message)

    def come(self, room_id: str) -> float:
        """Enter a table and draw it; return the seconds of CPU until then."""
        terminal = make_terminal(self.model, self.port, input=DummyInput(), output=DummyOutput())
        began = time.process_time()
        self.port.status_changed(Online("", "server", "example:4470"))
        self.port.enter(room_id)
        while self.model.view is None or not self.model.next_sequence or self.model.is_catching_up:
            self.server.pass_seconds(0.05)
        terminal.ui.draw(ROWS, COLUMNS, Typed("", 0))
        return time.process_time() - began
