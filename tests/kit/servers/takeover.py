"""A player reconnects while the old connection is closing, in every order of events.

test_login_matrix.py runs it as a process of its own, with a whole server on real sockets. Three
things happen: the new connection enters the table, the last words of the old one arrive, the old
one breaks. Before each of them and after the last, a stranger tries to enter as well.
"""

import itertools
import os
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import attrs
from twisted.internet import reactor as installed
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread

from protocol import messages
from protocol.common.events import Chatted
from protocol.common.table import RoomTable, Settings
from protocol.event import everything, read
from protocol.keys import SigningKey
from protocol.login import Hello, Welcome, decode_login
from protocol.messages import Sender, ServerMessage, decode_message, encode_message
from server.process.app import Config, Server, open_server
from tests.kit.servers.programs import run, tell
from tests.net.attackers import HOST, MALLORY, Wire, dialled, made

reactor: Any = installed
M = TypeVar("M", bound=ServerMessage)
OLD_WORDS, NEW_WORDS = "said by the old connection", "said by the new connection"


@attrs.define
class Player:
    """A logged-in connection."""

    wire: Wire
    heard: list[ServerMessage] = attrs.field(factory=list)
    serials: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))

    def ask(
        self, make: Callable[[int], messages.ClientMessage], wanted: type[M]
    ) -> M | messages.Refusal:
        """Send a message and return its reply; earlier messages are kept in `heard`."""
        serial = next(self.serials)
        self.wire.say(encode_message(make(serial)))
        while (payload := self.wire.frame()) is not None:
            message = decode_message(payload, Sender.SERVER)
            self.heard.append(message)
            if isinstance(message, wanted | messages.Refusal) and message.serial == serial:  # type: ignore[union-attr]  # each reply has one
                return message
        raise AssertionError("the server hung up")

    def enter(self, room_id: str) -> messages.Entered | messages.Refusal:
        """Follow a table from its beginning."""
        return self.ask(lambda serial: messages.EnterTable(serial, room_id, -1), messages.Entered)

    def chat(self, room_id: str, words: str) -> object:
        """Say something to the table."""
        return self.ask(lambda serial: messages.Chat(serial, room_id, words), messages.Done)

    def break_off(self) -> None:
        """End the connection abruptly, without a TLS alert."""
        raw: Any = self.wire.tls
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raw.close()


def logged_in(stack: ExitStack, port: int, key: SigningKey) -> Player:
    """Connect and log in."""
    wire = stack.enter_context(dialled(port))
    wire.shake()
    wire.say(made(decode_login(wire.frame() or b"", Hello), wire.exporter, key))
    decode_login(wire.frame() or b"", Welcome)
    return Player(wire)


@attrs.define
class Story:
    """One table, and one order of the three events."""

    server: Server
    key: SigningKey
    stack: ExitStack
    room_id: str = ""
    old: Player = attrs.field(init=False)
    new: Player | None = None
    strangers_codes: list[str] = attrs.field(factory=list)
    strangers_records: int = 0

    @property
    def port(self) -> int:
        """Port of the server."""
        return int(self.server.address.port)

    def open(self) -> None:
        """Open a table, and follow it on the old connection."""
        self.old = logged_in(self.stack, self.port, self.key)
        found = self.old.ask(messages.ListScenarios, messages.Scenarios)
        assert isinstance(found, messages.Scenarios)
        chosen = found.lines[0].scenario
        opened = self.old.ask(
            lambda serial: messages.OpenTable(serial, Settings(), chosen), messages.TableOpened
        )
        assert isinstance(opened, messages.TableOpened)
        self.room_id = opened.room_id
        self.old.enter(self.room_id)

    def comes(self) -> None:
        """Enter on a new connection."""
        self.new = logged_in(self.stack, self.port, self.key)
        self.new.enter(self.room_id)

    def speaks(self) -> None:
        """Send the last words on the old connection, if it is still open."""
        if not self.has_broken():
            self.old.chat(self.room_id, OLD_WORDS)

    def breaks(self) -> None:
        """Break the old connection."""
        self.old.break_off()

    def has_broken(self) -> bool:
        """True if the old connection is gone."""
        raw: Any = self.old.wire.tls
        return bool(raw.fileno() == -1)

    def intrude(self) -> None:
        """Let a stranger with the player's name try to enter."""
        with ExitStack() as stack:
            stranger = logged_in(stack, self.port, MALLORY)
            answer = stranger.enter(self.room_id)
            self.strangers_codes.append(getattr(answer, "code", "let in"))
            kinds = (messages.Records, messages.Entered)
            self.strangers_records += sum(isinstance(one, kinds) for one in stranger.heard)

    def room(self) -> RoomTable:
        """The room of the table, as the server has it."""
        return self.server.lobby.registry.hosts[self.room_id].room.table.room

    async def words(self) -> list[str]:
        """Return the lines of chat at the table."""
        log = await self.server.store.read(self.room_id)
        events = [read(self.room_id, everything(stored)).event for stored in log]
        return [
            event.words.value.decode()
            for event in events
            if isinstance(event, Chatted) and event.words.value is not None
        ]


async def told(server: Server, order: tuple[str, ...]) -> None:
    """Play the three events in one order, and print the outcome."""
    sessions = len(server.lobby.visitors.by_session)
    with ExitStack() as stack:
        story = Story(server, SigningKey.from_seed(os.urandom(32)), stack)
        await deferToThread(story.open)
        for step in order:
            await deferToThread(story.intrude)
            await deferToThread(getattr(story, step))
            while step == "breaks" and len(server.lobby.visitors.by_session) > sessions + bool(
                story.new
            ):
                await deferLater(reactor, 0.01)
        await deferToThread(story.intrude)
        assert story.new is not None
        await deferToThread(story.new.chat, story.room_id, NEW_WORDS)
        # That somebody went may still be on its way to the log, and that they came is behind it.
        deadline = reactor.seconds() + 5
        while not story.room().seats[0].is_present and reactor.seconds() < deadline:
            await deferLater(reactor, 0.01)
        room = story.room()
        tell(
            step="order",
            order=" ".join(order),
            words=await story.words(),
            seats=len(room.seats),
            is_present=room.seats[0].is_present,
            stranger=sorted({*story.strangers_codes}),
            strangers_records=story.strangers_records,
        )
    while len(server.lobby.visitors.by_session) > sessions:
        await deferLater(reactor, 0.01)


async def main(folder: Path) -> None:
    """Go through the six orders, each at a table of its own."""
    server = await open_server(Config(folder, host=HOST, port=0), reactor)
    await server.start()
    for order in itertools.permutations(("comes", "speaks", "breaks")):
        await told(server, order)
    await server.stop()
    tell(step="end")


if __name__ == "__main__":
    run(main, reactor)
