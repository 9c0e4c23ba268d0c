"""Viewers: recipients of what a server with one game sends.

Each is a real session of the real lobby and follows a plan of its own, which depends on the name of
the game alone. `seat` says what a viewer may know: the secrets of that seat, or public knowledge
for None. Messages are kept with their virtual times.
"""

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import attrs
from twisted.logger import ILogObserver, eventAsText, globalLogPublisher

from protocol import codec, messages
from protocol.common.table import Stage
from protocol.messages import ClientMessage, ServerMessage
from server.admin import view
from server.authoring.driver import player_key
from server.identity.invitations import InvitationKind, InvitationTarget
from server.net.handler import Account
from server.process.bot_session import BotSession
from tests.games.twins.compare import Heard
from tests.kit.servers.house import FakeSession

if TYPE_CHECKING:
    from tests.games.second_edition.twins.table import OneTable

NO_ONE, REFEREE = b"n" * 32, b"r" * 32


def sequence_of(public: bytes) -> int:
    plain = codec.unpack(public)
    assert isinstance(plain, tuple)
    assert isinstance(plain[0], int)
    return plain[0]


def seat_key(seat: int) -> bytes:
    return player_key(seat).public


@attrs.define(eq=False)
class Viewer:
    """Recipient of messages."""

    seat: int | None
    rng: random.Random
    heard: list[Heard] = attrs.field(factory=list, init=False)
    marks: list[int] = attrs.field(factory=list, init=False)
    """Number of messages received before each input."""
    table: "OneTable" = attrs.field(init=False)
    language: str = attrs.field(default="en", init=False)
    _session: FakeSession | None = attrs.field(default=None, init=False)
    _serial: int = attrs.field(default=0, init=False)

    @property
    def kind(self) -> str:
        return type(self).__name__

    def begin(self, table: "OneTable") -> None:
        """Set the table; subclasses connect to it."""
        self.table = table

    def mark(self) -> None:
        """Record the number of messages received for the inputs so far."""
        self.marks.append(len(self.heard))

    def act(self, number: int) -> None:
        """Act as planned just before the input of this number."""

    def end(self) -> None:
        """Finish after the last input."""

    def close(self) -> None:
        """Release resources outside the server."""

    # What they can do

    def hear(self, message: ServerMessage | str) -> None:
        self.heard.append((self.table.clock.seconds(), message))
        if self.table.meter is not None:
            self.table.meter.heard(message)

    def connect(self, key: bytes = b"") -> None:
        """Log in with a new connection, by default with the key of the seat."""
        own = NO_ONE if self.seat is None else seat_key(self.seat)
        account = Account(key or own, self.kind, self.language)
        self._session = FakeSession(account, hear=self.hear)
        self.table.lobby.sessions.connected(self._session)

    def disconnect(self) -> None:
        assert self._session is not None
        self.table.lobby.sessions.disconnected(self._session)
        self._session = None

    @property
    def is_connected(self) -> bool:
        return self._session is not None

    def say(self, kind: type[ClientMessage], *fields: Any) -> None:
        """Send a message to the lobby."""
        assert self._session is not None
        self._serial += 1
        self.table.lobby.sessions.received(self._session, kind(self._serial, *fields))

    def enter(self, after: int = -1) -> None:
        """Enter the table, redeeming an invitation first if there is no seat."""
        if self.seat is None:
            self.say(messages.WatchTable, self.table.watch_code)
        self.say(messages.EnterTable, self.table.room_id, after)

    @property
    def may_enter(self) -> bool:
        if self.seat is None:
            return True
        seat = self.table.room.seats.get(self.seat)
        return seat is not None and seat.key == seat_key(self.seat)


class Follower(Viewer):
    """Viewer that follows the table from the earliest time, from a seat or as a spectator."""

    def act(self, number: int) -> None:
        """Enter as soon as possible."""
        del number
        if not self.is_connected and self.may_enter:
            self.connect()
            self.enter()


class LateJoiner(Viewer):
    """Viewer that comes late, reads French, and is sent all earlier records."""

    def begin(self, table: "OneTable") -> None:
        """Choose when to come."""
        super().begin(table)
        self.language = "fr"
        self._comes = self.rng.randrange(12, 90)

    def act(self, number: int) -> None:
        """Come when it is time."""
        if not self.is_connected and number >= self._comes and self.may_enter:
            self.connect()
            self.enter()


class Reconnecter(Viewer):
    """Viewer that disconnects and returns, after the last record or from the start."""

    def act(self, number: int) -> None:
        """Disconnect or return now and then."""
        if number % 9:
            return
        if self.is_connected:
            if self.rng.random() < 0.5:
                self.disconnect()
        elif self.may_enter:
            self.connect()
            shown = [message for _, message in self.heard if isinstance(message, messages.Records)]
            last = sequence_of(shown[-1].cuts[-1].public) if shown else -1
            self.enter(self.rng.choice((-1, last)))


class Exporter(Viewer):
    """Viewer that exports archives during the game and after it, and changes the language."""

    def act(self, number: int) -> None:
        """Export an archive now and then."""
        if number % 30 == 29 and self.may_enter:
            self._ask()

    def end(self) -> None:
        """Export an archive at the end."""
        if self.may_enter:
            self._ask()

    def _ask(self) -> None:
        if not self.is_connected:
            self.connect()
            if self.seat is None:
                self.say(messages.WatchTable, self.table.watch_code)
        self.say(messages.ExportTable, self.table.room_id)


class Asker(Viewer):
    """Viewer that sends messages which are refused, asks for lists, and compares the replies."""

    def act(self, number: int) -> None:
        """Try impossible things."""
        if number % 11:
            return
        if not self.is_connected:
            self.connect()
        room = self.table.room
        ask_id = 0 if room.ask is None else room.ask.ask_id
        self.say(messages.ListTables)
        if number % 33 == 0:
            self.say(messages.ListScenarios)
            self.say(messages.ChooseLanguage, "fr" if number % 66 else "en")
        for kind, fields in (
            (messages.Answer, (ask_id, ("no such choice",))),
            (messages.Answer, (ask_id + 1, (f"{ask_id}.0",))),
            (messages.Vote, (ask_id, "no such choice")),
            (messages.CallTiebreak, (ask_id + 1,)),
            (messages.SetStanding, (("kind/none",),)),
            (messages.AnswerInWindow, (ask_id, ("no such choice",))),
            (messages.SetStops, (("kind/none",), True)),
            (messages.Consent, (99_999, True)),
            (messages.ProposeCorrection, ("monster/none", 1)),
            (messages.ProposeTakeBack, (len(self.table.host.room.log) + 5,)),
            (messages.EnterTable, (len(self.table.host.room.log) + 5,)),
        ):
            self.say(kind, self.table.room_id, *fields)


class Heir(Viewer):
    """Viewer that got a seat in the middle of a game, with or without its earlier secrets."""

    def act(self, number: int) -> None:
        """Sit down when the seat has a new key."""
        del number
        seat = self.table.room.seats.get(self.seat or 0)
        if self.is_connected or seat is None or seat.is_bot:
            return
        if seat.key not in {b"", seat_key(seat.seat)}:
            self.connect(seat.key)
            self.enter()


class Referee(Follower):
    """Observer who is sent every secret; present only at first games, as twins would differ."""

    def connect(self, key: bytes = b"") -> None:
        """Log in with the key in the settings."""
        super().connect(key or REFEREE)

    def enter(self, after: int = -1) -> None:
        """Enter the table, which needs no invitation."""
        self.say(messages.EnterTable, self.table.room_id, after)


class Bot(Viewer):
    """Recipient of the messages to the server's own bot, which acts by itself."""


@attrs.define(eq=False)
class HeardBot(BotSession):
    """Bot of the server that forwards its messages to a viewer."""

    hear: Callable[[ServerMessage], None] = attrs.field(kw_only=True)

    def send(self, message: ServerMessage) -> None:
        self.hear(message)
        super().send(message)


class LogReader(Viewer):
    """Reader of the server's log lines."""

    def begin(self, table: "OneTable") -> None:
        super().begin(table)
        globalLogPublisher.addObserver(cast("ILogObserver", self._line))

    def _line(self, event: Any) -> None:
        self.hear(eventAsText(event, includeTimestamp=False))

    def close(self) -> None:
        globalLogPublisher.removeObserver(cast("ILogObserver", self._line))


class Operator(Viewer):
    """Operator with `manse admin`."""

    def act(self, number: int) -> None:
        """Look at the table now and then."""
        registry = self.table.lobby.registry
        summary = registry.summaries.get(self.table.room_id)
        if number % 3 == 0 and summary is not None:
            self.hear(repr(view.table_line(summary, registry.hosts.get(self.table.room_id))))


class Scraper(Viewer):
    """Reader of the server's metrics."""

    def act(self, number: int) -> None:
        """Read the metrics before each input."""
        assert self.table.meter is not None
        self.hear(self.table.meter.text())


class NextPart(Viewer):
    """Player who joins the next table of the campaign."""

    def end(self) -> None:
        """Sit down at a table whose host continues the campaign."""
        if self.table.room.stage is Stage.OVER and self.table.is_in_campaign:
            self.connect()
            self.table.go_on_with_campaign(self)


OF_ALL: tuple[type[Viewer], ...] = (
    *(Follower, LateJoiner, Exporter, Asker, LogReader, Operator, NextPart),
)
"""Kinds of viewers with public knowledge."""
OF_SEAT: tuple[type[Viewer], ...] = (Follower, LateJoiner, Reconnecter, Exporter, Asker, Heir)
"""Kinds of viewers with the knowledge of a seat."""


DELAYED = (Follower, LateJoiner, Exporter, Asker)
"""Kinds of viewers that are spectators with a delay if the settings have one."""


def watch_target(room_id: str) -> InvitationTarget:
    return InvitationTarget(room_id, InvitationKind.WATCH)
