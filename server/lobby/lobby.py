"""
The lobby: the composition of all parts between the network and the rules.

The modules named here handle the requests of clients; importing a module registers its handlers,
which are declared with `@handles`.
"""

from collections.abc import Callable

from server.identity.invitations import Invitations
from server.lobby import entering, language, mail, removing
from server.lobby.finished import reviewing, setup_results
from server.lobby.finished.access import Access
from server.lobby.finished.exporting import Exports
from server.lobby.finished.game_notes import GameNotes
from server.lobby.finished.practising import Practising
from server.lobby.finished.reviews import Reviews
from server.lobby.finished.sharing import SharedGames
from server.lobby.requests.after_input import AfterInput
from server.lobby.requests.handlers import HANDLERS, bind
from server.lobby.requests.pace import Pace
from server.lobby.requests.replies import Replies
from server.lobby.requests.visitor import Visitors
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.services.mailing import Mail
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.lobby.sessions import Sessions
from server.lobby.tables import choosing, listing, plain_inputs, readers, seats
from server.lobby.tables.again import PlayingAgain
from server.lobby.tables.bots import Bots
from server.lobby.tables.joining import Joining
from server.lobby.tables.lost_seats import LostSeats
from server.lobby.tables.new_tables import NewTables
from server.lobby.tables.opening import Openers
from server.lobby.tables.setups import Setups
from server.lobby.views.held_logs import HeldLogs

SUBJECTS = (
    *(choosing, entering, language, listing, mail, plain_inputs),
    *(readers, removing, reviewing, seats, setup_results),
)
"""Modules that are imported only to register their handlers."""


class Lobby:
    """All parts of one lobby."""

    def __init__(
        self, services: LobbyServices, *, sign: Callable[[bytes], bytes], public: bytes
    ) -> None:
        """
        Create the parts. `load` then reads the stored state.

        Args:
            services: store, content, clock and entropy.
            sign: signs exports with the server's identity.
            public: the public half of that identity.
        """
        self.services = services
        self.mail = Mail()
        self.pace = Pace()
        self.visitors = Visitors()
        self.registry = registry = Registry(services)
        self.replies = replies = Replies(services.shelf, registry)
        self.invitations = Invitations(services.store, services.entropy.draw)
        self.openers = Openers(
            *(services.store, registry, services.entropy, services.clock.seconds, services.aside)
        )
        self.setups = Setups(services, registry)
        self.lost = LostSeats(services.store, services.now)
        self.shared = SharedGames(services.store, registry)
        self.reviews = Reviews(
            *(services.clock.seconds, services.now, self.shared.may_open, registry.is_practice)
        )
        self.practising = Practising(services, registry, self.openers, self.setups, self.shared)
        after, access = AfterInput(self._after_input), Access(self.shared, self.reviews)
        self.sessions = Sessions(
            *(services, registry, self.visitors, replies, self.pace, self.mail, access),
            *(self.reviews, after),
        )
        self.bots = Bots(self.sessions, services)
        registry.when_loaded, registry.when_unloaded = self.bots.tend, self.bots.leave
        registry.when_alone = self._after_unasked_input
        tables = NewTables(services, registry, self.openers, self.invitations)
        joining = Joining(registry, self.invitations, self.setups.known)
        again = PlayingAgain(services, registry, self.bots, tables, joining, self.invitations)
        collaborators = (
            *(services, registry, self.visitors, replies, self.mail, access, after),
            *(self.invitations, self.setups, self.lost, self.shared, self.reviews),
            *(self.practising, self.bots, tables, joining, again),
            *(GameNotes(services.store), HeldLogs(services.store)),
            Exports(services, sign, public, replies),
        )
        self.sessions.handlers = bind(HANDLERS, collaborators)

    async def load(self) -> None:
        """Read the stored state; called once, before anybody connects."""
        await self.openers.load()
        await self.setups.load()
        await self.shared.load()
        await self.lost.forget_old(self.services.scheduler)
        # After the setups: rooms that are loaded need their seeds.
        await self.registry.start()
        # Setups that were closed before the server ended, on tables where they are not open yet.
        run_detached(self.setups.open_all_due())

    def close(self) -> None:
        """Stop all timers and bots when the server ends."""
        self.setups.stop()
        self.bots.close()
        self.registry.stop()

    @property
    def is_quiet(self) -> bool:
        """True if no room works on an input, and no message came for `QUIET_SECONDS`."""
        return self.sessions.are_quiet and self.registry.is_quiet

    async def _after_input(self, host: RoomHost) -> None:
        self.bots.tend(host)
        await self.setups.known.note_all(host.room.table.room, host.followers.keys())
        await self.setups.open_on(host)
        await self.practising.begin(host)

    async def _after_unasked_input(self, host: RoomHost) -> None:
        """Do the work that follows an input of the clock, or the restart of a stopped room."""
        # Keeps the room loaded until this is done.
        host.users += 1
        try:
            await self._after_input(host)
            # After a restart the room was read again, and its summary may be outdated.
            await self.registry.summarise(host)
        finally:
            self.registry.release(host)
