"""One game on a whole server, with all its viewers.

Lobby, rooms, rules, bots and content are real; the clock is fake and the store is in memory. Inputs
go to the room's host, everything else through the lobby as from the network.
"""

import random
from collections.abc import Sequence
from typing import Any, Self

import attrs
from twisted.internet.task import Clock

from content.games.second_edition.schema.pack import Pack
from protocol import messages
from protocol.common import events
from protocol.common.table import LOG_VERSION, RoomTable, Settings
from protocol.event import Event, Record, everything, read
from protocol.games.second_edition.table import RULESET
from protocol.keys import SigningKey
from server.authoring.driver import player_key
from server.authoring.seat_keys import signed
from server.kernel.chance import Entropy, MakeChance
from server.kernel.errors import Refused, RuleFailed
from server.lobby.lobby import Lobby
from server.lobby.rooms.host import RETRY_SECONDS, RoomHost
from server.lobby.services.seams import LobbyServices
from server.net.handler import Account, SessionHandler
from server.packs.shelf import PackShelf
from server.storage import StorageError
from tests.games.second_edition.simulate import SeededEntropy
from tests.games.second_edition.twins.chance import Contradiction
from tests.games.second_edition.twins.metering import Meter
from tests.games.second_edition.twins.viewers import (
    Bot,
    HeardBot,
    Scraper,
    Viewer,
    seat_key,
    watch_target,
)
from tests.kit.servers.failing import FailingStore, Fault

ROOM_ID, NEXT_ROOM_ID = "aa" * 12, "bb" * 12
IDENTITY = SigningKey.from_seed(b"i" * 32)
BEGAN = 1_700_000_000_000
"""The time at which every game begins, in milliseconds since 1970."""
SEATS = 5
"""Maximum number of seats of a game."""
STEP, STEPS = 0.25, 4
"""
Seconds per step of the clock, and steps between two inputs: together a second, in which bots and
delays get their turns.
"""


def room_opened(room_id: str, scenario: str, pack: Pack, settings: Settings) -> events.RoomOpened:
    digest = pack.digest
    return events.RoomOpened(room_id, RULESET, scenario, digest, settings, LOG_VERSION, source=None)


@attrs.define(eq=False)
class OneTable:
    """Server with one table."""

    pack: Pack
    scenario: str
    entropy: Entropy
    make_chance: MakeChance
    viewers: Sequence[Viewer]
    clock: Clock = attrs.field(factory=Clock, init=False)
    store: FailingStore = attrs.field(factory=FailingStore, init=False)
    lobby: Lobby = attrs.field(init=False)
    watch_code: str = attrs.field(default="", init=False)
    room_id: str = attrs.field(default=ROOM_ID, init=False)
    meter: Meter | None = attrs.field(default=None, init=False)
    """Address at which the metrics are read."""
    acted: int = attrs.field(default=-1, init=False)
    """Number of the last input before which the viewers carried out their plans; -1 for none."""

    def __attrs_post_init__(self) -> None:
        shelf = PackShelf()
        shelf.add(self.pack)
        services = LobbyServices(
            store=self.store,
            shelf=shelf,
            clock=self.clock,
            now=lambda: BEGAN + int(self.clock.seconds() * 1000),
            entropy=self.entropy,
            make_bot=self._make_bot,
            make_chance=self.make_chance,
        )
        self.lobby = Lobby(services, sign=IDENTITY.sign, public=IDENTITY.public)
        if any(isinstance(viewer, Scraper) for viewer in self.viewers):
            self.meter = Meter(self)
        self.lobby.registry.add(ROOM_ID)
        made: list[str] = []
        _ = self.lobby.invitations.make(watch_target(ROOM_ID)).addCallback(made.append)
        self.watch_code = made[0]

    def _make_bot(self, key: bytes, name: str, room_id: str, handler: SessionHandler) -> HeardBot:
        viewer = next(viewer for viewer in self.viewers if isinstance(viewer, Bot))
        # A bot's own entropy is the same in both games: it shall do the same unless it is told
        # something else.
        entropy = SeededEntropy(7)
        account = Account(key, name, "en")
        return HeardBot(account, room_id, handler, self.clock, entropy, hear=viewer.hear)

    @property
    def host(self) -> RoomHost:
        return self.lobby.registry.hosts[ROOM_ID]

    @property
    def room(self) -> RoomTable:
        return self.host.room.table.room

    @property
    def is_in_campaign(self) -> bool:
        """True if the scenario is part of a campaign and not its last."""
        campaign = self.pack.campaign_of(self.scenario)
        return campaign is not None and campaign.scenarios[-1] != self.scenario

    def records(self) -> list[Record]:
        """Return the log with all secrets open."""
        return [read(ROOM_ID, everything(stored)) for stored in self.store._logs[ROOM_ID]]

    def give(self, happened: Event, origin: int, *, fails: bool) -> str:
        """Give the room an input signed by its seat, and advance the clock by a second.

        Args:
            fails: True if the store shall fail; the room is then loaded again.

        Returns:
            Code of the refusal or name of the failure; empty if it was accepted.

        Raises:
            Contradiction: a twin cannot deal what the viewer knows.
        """
        if fails:
            self.store.faults.append(Fault(error=StorageError("no room left")))
        if self.meter is not None:
            self.meter.given(happened)
        failures: list[Any] = []
        _ = self.host.submit(self.signed(happened), origin).addErrback(
            lambda f: failures.append(f.value)
        )
        self.store.faults.clear()
        if isinstance(happened, events.SeatTaken | events.SeatLeft):
            self.lobby.bots.tend(self.host)
        self.let_time_pass(RETRY_SECONDS + 2 if fails else STEP * STEPS)
        for failure in failures:
            if isinstance(failure.__cause__, Contradiction):
                raise failure.__cause__
            assert isinstance(failure, Refused | RuleFailed | StorageError), repr(failure)
            return failure.code if isinstance(failure, Refused) else type(failure).__name__
        return ""

    def signed(self, happened: Event) -> Event:
        """Return an input as signed by its seat; a share is signed along with its seeds."""
        keys = {key.public: key for key in map(player_key, range(SEATS))}
        return signed(self.room, happened, keys)

    def mark(self) -> None:
        """Have each viewer mark how much it has received."""
        for viewer in self.viewers:
            viewer.mark()

    def act(self, number: int) -> None:
        """Have each viewer do what it plans before the input of this number."""
        self.acted = number
        for viewer in self.viewers:
            viewer.act(number)

    def let_time_pass(self, seconds: float) -> None:
        """Advance the clock in steps."""
        self.wait_until(self.clock.seconds() + seconds)

    def wait_until(self, seconds: float) -> None:
        """Advance the clock in steps up to a time."""
        while self.clock.seconds() < seconds:
            self.clock.advance(STEP)

    def go_on_with_campaign(self, viewer: Viewer) -> None:
        """Open another table that continues the campaign, with the viewer at it."""
        host = self.lobby.registry.add(NEXT_ROOM_ID)
        opened = room_opened(NEXT_ROOM_ID, self.scenario, self.pack, Settings())
        for happened, origin in (
            (opened, 0),
            (events.SeatTaken(0, "Host", seat_key(0), is_bot=False), 0),
            (events.SeatTaken(1, "Other", b"n" * 32, is_bot=False), 1),
        ):
            _ = host.submit(happened, origin)
        viewer.say(messages.EnterTable, NEXT_ROOM_ID, -1)
        owner = type(viewer)(0, random.Random(0))
        owner.begin(self)
        owner.connect()
        owner.say(messages.ContinueCampaign, NEXT_ROOM_ID)
        viewer.heard.extend(owner.heard)

    def __enter__(self) -> Self:
        """Have every viewer come."""
        for viewer in self.viewers:
            viewer.begin(self)
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        """Have every viewer finish, and close the server."""
        for viewer in self.viewers:
            if failed is None:
                viewer.end()
            viewer.close()
        self.lobby.close()
