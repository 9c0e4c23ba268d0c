"""The services of the lobby: interfaces of store, clock, content and entropy."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

import attrs

from protocol.common.roster import Roster
from protocol.common.table import FixedSetup, RoomTable
from protocol.common.text import Catalog
from protocol.seams import Clock
from server.kernel.chance import Entropy, MakeChance
from server.kernel.game import Ruleset
from server.lobby.services.disk import NO_WATERMARK, DiskWatermark
from server.lobby.services.log_times import LogTimes
from server.net.scheduling import FairScheduler
from server.storage import Store


@attrs.frozen
class ScenarioCard:
    """A scenario in the lobby's lists."""

    scenario: str
    ruleset: str
    """Name of the game."""
    minutes: int
    difficulty: int
    roster: Roster
    """Possible players with all products switched on."""
    product: str = ""
    """Product of the scenario; empty if the scenario cannot be switched off."""
    products: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Characters of each product that can be switched off, by product."""
    campaign: str = ""
    """Campaign of the scenario; empty for none."""
    after: str = ""
    """Preceding scenario of the campaign; empty for the first."""


class Shelf(Protocol):
    """The content of this server. The kernel uses the shelf as its `Library`."""

    setup_seeds: dict[str, bytes]
    """Seeds of all fixed setups, by id."""

    def ruleset(self, name: str) -> Ruleset:
        """Return the ruleset of this name. LookupError: no ruleset has this name."""

    def content(self, room: RoomTable) -> Any:
        """
        Return the content for the rules of a room.

        KeyError: the content is no longer installed.
        """

    def setup_seed(self, setup: FixedSetup) -> bytes | None:
        """Return the seed of a fixed setup; None if this server does not know the setup."""

    def catalogs(self, content_hash: bytes) -> Mapping[str, Catalog]:
        """
        Return the words of the content with this hash, by language.

        KeyError: the content is not installed.
        """

    def offered(self) -> tuple[str, ...]:
        """Return the names of the games that new tables may play, in the order of lists."""

    async def offer(self, games: tuple[str, ...], store: Store) -> None:
        """Have new tables play these games from now on; without any, all installed games."""

    def scenarios(self) -> tuple[ScenarioCard, ...]:
        """
        Return the cards of all scenarios.

        Those of a game that is not offered are for its older tables.
        """

    async def files_of(self, content_hash: bytes, store: Store) -> bytes | None:
        """Return the stored files of the content with this hash, packed; None if they are gone."""

    def current(self, scenario: str) -> bytes | None:
        """Return the hash of the content for new games of a scenario; None if it is unknown."""


async def _run_in_place(work: Callable[[], bytes]) -> bytes:
    return work()


@attrs.frozen
class LobbyServices:
    """Clock, store, entropy and content of one lobby."""

    store: Store
    shelf: Shelf
    clock: Clock
    now: Callable[[], int]
    """Wall clock, in milliseconds since 1970."""
    entropy: Entropy
    make_bot: Callable[..., Any] | None = None
    """Makes a session of a bot; None if this server runs no bots."""
    make_chance: MakeChance | None = None
    """Makes the chance of each stream; only tests set it."""
    disk: DiskWatermark = NO_WATERMARK
    aside: Callable[[Callable[[], bytes]], Awaitable[bytes]] = _run_in_place
    """Runs long work off the reactor, such as in a thread; by default in place."""
    log_times: LogTimes = attrs.field(eq=False, init=False)
    """The time of each room, with which all times on its log are compared."""
    scheduler: FairScheduler = attrs.field(eq=False)
    """Scheduler of turns, shared with the network layer. By default turns are unlimited."""

    @log_times.default
    def _own_log_times(self) -> LogTimes:
        return LogTimes(self.now)

    @scheduler.default
    def _own_scheduler(self) -> FairScheduler:
        return FairScheduler(self.clock, lambda: 0.0)
