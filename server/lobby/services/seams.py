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
from server.net.scheduling import FairScheduler
from server.storage import Store


@attrs.frozen
class ScenarioCard:
    """A scenario as the lobby lists it."""

    scenario: str
    ruleset: str
    """Name of its game."""
    minutes: int
    difficulty: int
    roster: Roster
    """Roster with all products switched on."""
    product: str = ""
    """Product of the scenario, if it can be switched off."""
    products: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Characters of each product that can be switched off, by product."""
    campaign: str = ""
    """Campaign of the scenario; empty for none."""
    after: str = ""
    """Preceding scenario of the campaign; empty for the first."""


class Shelf(Protocol):
    """The content of this server, which also serves the kernel as its library."""

    setup_seeds: dict[str, bytes]
    """Seeds of all fixed setups, by id."""

    def ruleset(self, name: str) -> Ruleset:
        """Return the ruleset of this name. LookupError: there is none."""

    def content(self, room: RoomTable) -> Any:
        """Return the content for the rules of a room. KeyError: it is not here any more."""

    def setup_seed(self, setup: FixedSetup) -> bytes | None:
        """Return the seed of a fixed setup, if it is known here."""

    def catalogs(self, content_hash: bytes) -> Mapping[str, Catalog]:
        """Return the words of the content with this hash, by language."""

    def scenarios(self) -> tuple[ScenarioCard, ...]:
        """Return the cards of the scenarios that can be played."""

    def current(self, scenario: str) -> bytes | None:
        """Return the hash of the content with which a new game of a scenario is played."""


async def _here(work: Callable[[], bytes]) -> bytes:
    return work()


@attrs.frozen
class LobbyServices:
    """Clock, store, entropy and content of one lobby."""

    store: Store
    shelf: Shelf
    clock: Clock
    now: Callable[[], int]
    """The wall clock, in milliseconds since 1970."""
    entropy: Entropy
    make_bot: Callable[..., Any] | None = None
    """Makes a session that plays by itself; None where this server runs no bots."""
    make_chance: MakeChance | None = None
    """Makes the chance of each stream; only tests set it."""
    disk: DiskWatermark = NO_WATERMARK
    """Guard that refuses new tables on a nearly full disk."""
    aside: Callable[[Callable[[], bytes]], Awaitable[bytes]] = _here
    """Runs long work off the reactor, such as in a thread."""
    scheduler: FairScheduler = attrs.field(eq=False)
    """Scheduler of turns, shared with any network. By default turns are unlimited."""

    @scheduler.default
    def _own_scheduler(self) -> FairScheduler:
        return FairScheduler(self.clock, lambda: 0.0)
