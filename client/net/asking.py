"""Sends one request to a server over a separate connection, and returns the reply."""

import random
from collections.abc import Callable
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred

from client.locale import Locale
from client.model.status import Disconnected, GaveUp, Online, Status
from client.net.causes import in_words, refusal_in_words
from client.net.connection import Connection, Credentials, Trust, backoff_seconds
from client.net.tls import endpoint_for, read_exporter
from protocol.invitation import Address
from protocol.keys import SigningKey
from protocol.messages import ClientMessage, Refusal, ServerMessage

SECONDS: Final = 30.0
"""Seconds from the first attempt to connect until the request times out."""


class NotAnswered(Exception):
    """The server was not reached, did not reply, or refused; the text is a sentence that says why.

    If `is_final` is set, a retry would not help.
    """

    def __init__(self, said: str, *, is_final: bool = False) -> None:
        super().__init__(said)
        self.is_final = is_final


async def ask(
    reactor: Any,
    address: Address,
    trust: Trust,
    locale: Locale,
    key: SigningKey,
    name: str,
    language: str,
    make: Callable[[int], ClientMessage],
) -> ServerMessage:
    """
    Log in, send a request, wait for the reply, and log out.

    Args:
        reactor: the reactor of Twisted.
        address: the address of the server.
        trust: checks the identity of the server.
        locale: words for errors.
        key: the player's key, for the login.
        name: the player's name.
        language: the language of the server's words.
        make: builds the message from its serial.

    Raises:
        NotAnswered: the server was not reached, did not reply, or refused.
    """
    asker = _Asker(locale, str(address), make)
    asker.connection = Connection(
        endpoint=endpoint_for(reactor, address),
        clock=reactor,
        credentials=Credentials(key, name, language),
        trust=trust,
        listener=asker,
        read_exporter=read_exporter,
        retry_after=lambda attempt: backoff_seconds(attempt, random.random()),
    )
    asker.connection.start()
    # A server that admits us may still never reply.
    alarm = reactor.callLater(SECONDS, asker.give_up)
    try:
        return await asker.reply
    finally:
        if alarm.active():
            alarm.cancel()
        asker.connection.stop()


@attrs.define(eq=False)
class _Asker:
    """The sender of a single request; a `client.net.connection.ConnectionListener`."""

    locale: Locale
    server: str
    make: Callable[[int], ClientMessage]
    connection: Connection = attrs.field(init=False)
    reply: Deferred[ServerMessage] = attrs.field(factory=Deferred, init=False)
    _serial: int = attrs.field(default=-1, init=False)

    def status_changed(self, status: Status) -> None:
        """Send the request after the login. Fail if the connection fails or is lost."""
        match status:
            case Online() if self._serial < 0:
                self._serial = self.connection.next_serial()
                self.connection.send(self.make(self._serial))
            # Before the first attempt the status is Disconnected too, without a reason.
            case Disconnected(reason=reason) if reason:
                why = in_words(self.locale, reason)
                self._fail(self.locale.say("cli.not_reached", self.server, why))
            case GaveUp(code=code) if code != "stopped":
                self._fail(refusal_in_words(self.locale, status), is_final=True)
            case _:
                pass

    def received(self, message: ServerMessage) -> None:
        """Handle the reply; ignore all other messages."""
        # No serial is negative, so that a message without one never matches.
        if getattr(message, "serial", -2) != self._serial or self.reply.called:
            return
        if isinstance(message, Refusal):
            key = f"error.{message.code}"
            has_words = self.locale.has(key)
            said = (
                self.locale.say(key) if has_words else self.locale.say("error.other", message.code)
            )
            self._fail(said)
        else:
            self.reply.callback(message)

    def give_up(self) -> None:
        self._fail(self.locale.say("cli.line_lost"))

    def _fail(self, said: str, *, is_final: bool = False) -> None:
        if not self.reply.called:
            self.reply.errback(NotAnswered(said, is_final=is_final))
