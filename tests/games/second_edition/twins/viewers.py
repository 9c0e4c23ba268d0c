"""
Viewers: who is sent something by a server on which one game is played.

Each is a real session of the real desk, and acts by a plan of its own that follows from the name
of the game alone. What a viewer may know is told by `seat`: the secrets of that seat, or with None
what everybody knows. What a viewer was sent is kept with the virtual time of each message.
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
    """Return the sequence of a record."""
    plain = codec.unpack(public)
    assert isinstance(plain, tuple)
    assert isinstance(plain[0], int)
    return plain[0]


def seat_key(seat: int) -> bytes:
    """Return the key of the person in a seat."""
    return player_key(seat).public


@attrs.define(eq=False)
class Viewer:
    """Recipient of messages."""

    seat: int | None
    rng: random.Random
    heard: list[Heard] = attrs.field(factory=list, init=False)
    marks: list[int] = attrs.field(factory=list, init=False)
    """How much was heard before each input."""
    table: "OneTable" = attrs.field(init=False)
    language: str = attrs.field(default="en", init=False)
    _session: FakeSession | None = attrs.field(default=None, init=False)
    _serial: int = attrs.field(default=0, init=False)

    @property
    def kind(self) -> str:
        return type(self).__name__

    def begin(self, table: "OneTable") -> None:
        """Come to the server."""
        self.table = table

    def mark(self) -> None:
        """Mark that all that follows from the inputs up to here has been heard."""
        self.marks.append(len(self.heard))

    def act(self, number: int) -> None:
        """Do what is planned just before the input of this number."""

    def end(self) -> None:
        """Do what is left to do when no more inputs come."""

    def close(self) -> None:
        """Release everything that is not the server's."""

    # What they can do

    def hear(self, message: ServerMessage | str) -> None:
        """Keep what was sent."""
        self.heard.append((self.table.clock.seconds(), message))
        if self.table.meter is not None:
            self.table.meter.heard(message)

    def connect(self, key: bytes = b"") -> None:
        """Log in with a new connection, with the key of the seat if no other is given."""
        own = NO_ONE if self.seat is None else seat_key(self.seat)
        account = Account(key or own, self.kind, self.language)
        self._session = FakeSession(account, hear=self.hear)
        self.table.lobby.sessions.connected(self._session)

    def disconnect(self) -> None:
        """Fall off the network."""
        assert self._session is not None
        self.table.lobby.sessions.disconnected(self._session)
        self._session = None

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection."""
        return self._session is not None

    def say(self, kind: type[ClientMessage], *fields: Any) -> None:
        """Say something to the desk."""
        assert self._session is not None
        self._serial += 1
        self.table.lobby.sessions.received(self._session, kind(self._serial, *fields))

    def enter(self, after: int = -1) -> None:
        """Follow the table, after an invitation to spectate where one is needed."""
        if self.seat is None:
            self.say(messages.WatchTable, self.table.watch_code)
        self.say(messages.EnterTable, self.table.room_id, after)

    @property
    def may_enter(self) -> bool:
        """Whether there is a chair at the table for them by now."""
        if self.seat is None:
            return True
        seat = self.table.room.seats.get(self.seat)
        return seat is not None and seat.key == seat_key(self.seat)


class Follower(Viewer):
    """Follows the table from as early on as can be: from a seat, or as a spectator."""

    def act(self, number: int) -> None:
        """Enter as soon as there is a chair."""
        del number
        if not self.is_connected and self.may_enter:
            self.connect()
            self.enter()


class LateJoiner(Viewer):
    """Comes late, reads French, and is shown all that was before."""

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
    """Comes and goes; comes back after the last record that was shown, or asks for all again."""

    def act(self, number: int) -> None:
        """Go or come back, now and then."""
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
    """Has files made: while the game goes on and when it is over. Changes language, too."""

    def act(self, number: int) -> None:
        """Ask for a file, now and then."""
        if number % 30 == 29 and self.may_enter:
            self._ask()

    def end(self) -> None:
        """Ask for one at the end."""
        if self.may_enter:
            self._ask()

    def _ask(self) -> None:
        if not self.is_connected:
            self.connect()
            if self.seat is None:
                self.say(messages.WatchTable, self.table.watch_code)
        self.say(messages.ExportTable, self.table.room_id)


class Asker(Viewer):
    """Says what is refused, and asks for lists; looks at the reasons."""

    def act(self, number: int) -> None:
        """Try things that cannot be done."""
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
            (messages.AnswerInWindow, (ask_id, "no such choice")),
            (messages.SetStops, (("kind/none",), True)),
            (messages.Consent, (99_999, True)),
            (messages.ProposeCorrection, ("monster/none", 1)),
            (messages.ProposeTakeBack, (len(self.table.host.room.log) + 5,)),
            (messages.EnterTable, (len(self.table.host.room.log) + 5,)),
        ):
            self.say(kind, self.table.room_id, *fields)


class Heir(Viewer):
    """Was given a seat in the middle of a game; may know what it was told before, or may not."""

    def act(self, number: int) -> None:
        """Sit down once somebody else's key is on the chair."""
        del number
        seat = self.table.room.seats.get(self.seat or 0)
        if self.is_connected or seat is None or seat.is_bot:
            return
        if seat.key not in {b"", seat_key(seat.seat)}:
            self.connect(seat.key)
            self.enter()


class Referee(Follower):
    """Is shown every secret. Comes to first games alone, so that twins would tell."""

    def connect(self, key: bytes = b"") -> None:
        """Log in with the key that the settings name."""
        super().connect(key or REFEREE)

    def enter(self, after: int = -1) -> None:
        """Follow the table, which needs no invitation."""
        self.say(messages.EnterTable, self.table.room_id, after)


class Bot(Viewer):
    """Messages to the server's own bot in its seat, with their times. The bot acts by itself."""


@attrs.define(eq=False)
class HeardBot(BotSession):
    """A bot of the server; what it is sent is kept by a viewer."""

    hear: Callable[[ServerMessage], None] = attrs.field(kw_only=True)

    def send(self, message: ServerMessage) -> None:
        self.hear(message)
        super().send(message)


class LogReader(Viewer):
    """Reads the lines that the server logs."""

    def begin(self, table: "OneTable") -> None:
        super().begin(table)
        globalLogPublisher.addObserver(cast("ILogObserver", self._line))

    def _line(self, event: Any) -> None:
        self.hear(eventAsText(event, includeTimestamp=False))

    def close(self) -> None:
        globalLogPublisher.removeObserver(cast("ILogObserver", self._line))


class Operator(Viewer):
    """Sees to the server by `manse admin`."""

    def act(self, number: int) -> None:
        """Look at the table, now and then."""
        registry = self.table.lobby.registry
        summary = registry.summaries.get(self.table.room_id)
        if number % 3 == 0 and summary is not None:
            self.hear(repr(view.table_line(summary, registry.hosts.get(self.table.room_id))))


class Scraper(Viewer):
    """Reads the metrics of the server."""

    def act(self, number: int) -> None:
        """Read them before each input."""
        assert self.table.meter is not None
        self.hear(self.table.meter.text())


class NextPart(Viewer):
    """Was not at this table, and sits at the next one of the campaign."""

    def end(self) -> None:
        """Sit down at another table, whose host goes on with the campaign there."""
        if self.table.room.stage is Stage.OVER and self.table.is_in_campaign:
            self.connect()
            self.table.go_on_with_campaign(self)


OF_ALL: tuple[type[Viewer], ...] = (
    *(Follower, LateJoiner, Exporter, Asker, LogReader, Operator, NextPart),
)
"""Those who know what everybody knows."""
OF_SEAT: tuple[type[Viewer], ...] = (Follower, LateJoiner, Reconnecter, Exporter, Asker, Heir)
"""Those who know what a seat knows."""


DELAYED = (Follower, LateJoiner, Exporter, Asker)
"""Delayed spectators than the seats where the settings say so."""


def watch_target(room_id: str) -> InvitationTarget:
    """Return where an invitation to spectate leads."""
    return InvitationTarget(room_id, InvitationKind.WATCH)
