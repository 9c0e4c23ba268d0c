"""A server that writes mails, and the relay that takes them."""

from collections.abc import Sequence
from email.message import EmailMessage
from typing import Any

import attrs
from twisted.internet.defer import Deferred, fail, succeed

from protocol import messages
from server.mail.letters import Writer
from server.mail.postman import LOOK_SECONDS, Postman
from server.mail.settings import MailSettings
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import start_all
from tests.lobby.test_saving import answer_some

SETTINGS = MailSettings(host="relay.example.org", sender="manse@example.org", after_minutes=30)
ADDRESS = "ada.canary@example.org"
WRITER = Writer("manse@example.org", "The Manse", "play.example.org:4470", "finger-print")


@attrs.define(eq=False)
class FakeRelay:
    """A relay that accepts letters, or refuses them."""

    taken: list[tuple[str, EmailMessage]] = attrs.field(factory=list)
    is_away: bool = False

    def send(self, letter: EmailMessage, address: str) -> Deferred[object]:
        if self.is_away:
            return fail(ConnectionError(f"nobody answers for {address}"))
        self.taken.append((address, letter))
        return succeed(None)


@attrs.define(eq=False)
class Office:
    """A server with its postman and its relay."""

    house: House
    postman: Postman
    relay: FakeRelay

    @classmethod
    def opened(cls, house: House | None = None, settings: MailSettings = SETTINGS) -> "Office":
        """Let a server write mails."""
        house, relay = house or House(), FakeRelay()
        around: Any = house.lobby.services
        fake: Any = relay
        postman = Postman(around, house.lobby, settings, fake, WRITER)
        house.lobby.mail.mailing = postman.book
        starting = postman.start()
        try:
            starting.send(None)
        except StopIteration:
            return cls(house, postman, relay)
        raise AssertionError("the memory store answers at once")

    def say(self, client: Client, message: messages.ClientMessage) -> str:
        """Send a message; return the code of its refusal, or an empty string."""
        before = len(client.session.all(messages.Refusal))
        client.send(message)
        self.house.settle()
        refused = client.session.all(messages.Refusal)[before:]
        return refused[0].code if refused else ""

    def give(self, client: Client, address: str = ADDRESS) -> str:
        """Register an address; return the code that was mailed to it."""
        assert not self.say(client, messages.SetMail(800, address))
        body: str = self.relay.taken.pop()[1].get_content()
        return next(word for word in body.split() if word.isdigit())

    def confirmed(self, client: Client, address: str = ADDRESS) -> None:
        """Register an address and confirm it by its code."""
        code = self.give(client, address)
        assert not self.say(client, messages.ConfirmMail(801, code))

    def pass_minutes(self, minutes: float) -> None:
        for _ in range(int(minutes * 60 / LOOK_SECONDS)):
            self.house.clock.advance(LOOK_SECONDS)

    def playing(self, names: Sequence[str] = ("Ada", "Ben")) -> tuple[Client, Client]:
        """Play a game of two until it waits for one player; return this client, then the other."""
        clients = start_all(self.house, list(names))
        room = self.house.host_of(clients[0]).room
        while (ask := room.table.room.ask) is not None and len(ask.waiting_for) != 1:
            answer_some(self.house, clients, 1)
        assert ask is not None
        [at] = ask.waiting_for
        return clients[at], clients[1 - at]
