"""
Fixed setups: seeds of a board that several tables can play, until their owner closes them.

Anybody with a setup's code can choose the setup at a table. A log has the id of the setup, which is
a hash of the code, and a commitment. The seed is added once the setup is closed and the game is
over.
"""

import functools
import hashlib
from collections import Counter

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocol import codec, messages
from protocol.bounds import MAX_SETUPS
from protocol.common import events
from protocol.common.chance import SEED_BYTES, commitment_of_setup
from protocol.common.table import FixedSetup, Stage
from protocol.errors import ProtocolError
from protocol.event import CLOCK
from protocol.invitation import CODE_BYTES, UnreadableInvitation, code_text, parse_code
from protocol.messages import SetupLine
from server.kernel.errors import Refused
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import Visitor
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.summary import Summary, summary_of
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.known_setups import BEGUN, KnownSetups
from server.storage import StorageError

KIND = "setup"
"""Namespace of fixed setups in the store."""

OPEN_PER_KEY = MAX_SETUPS
"""Maximum number of open setups of one key."""
PER_KEY = 1024
"""Maximum number of setups of one key, open and closed."""

SALT_BYTES = 32
_ID_LETTERS = 32
_LABEL = b"manse setup id 1"


@attrs.frozen
class Setup:
    """One fixed setup."""

    code: str = attrs.field(repr=False)
    owner: bytes
    """Public key of the maker."""
    salt: bytes = attrs.field(repr=False)
    seed: bytes = attrs.field(repr=False)
    made_at: int
    """Time of making, in milliseconds since 1970."""
    is_closed: bool = False

    @property
    def fixed(self) -> FixedSetup:
        """Return the public part of the setup, as on the log of each table that plays it."""
        return FixedSetup(id_of(self.code), commitment_of_setup(self.salt, self.seed))


def id_of(code: str) -> str:
    """Return the public id of a setup from its secret code."""
    # The label makes this another hash than that of an invitation code.
    return hashlib.sha256(_LABEL + code.encode()).hexdigest()[:_ID_LETTERS]


@attrs.define(eq=False)
class Setups:
    """Makes, fixes, closes and opens the fixed setups of this server."""

    services: LobbyServices
    registry: Registry
    known: KnownSetups = attrs.field(init=False)
    """Keys that have seen the board of a setup."""
    _by_id: dict[str, Setup] = attrs.field(factory=dict, init=False, repr=False)
    _is_stopped: bool = attrs.field(default=False, init=False)
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        self.known = KnownSetups(
            self.services.store, self.registry, self.services.shelf, self.services.now
        )

    async def load(self) -> None:
        """Read all setups; called before rooms are loaded, which need the seeds."""
        await self.known.load()
        for setup_id, packed in await self.services.store.scan(KIND):
            try:
                self._remember(codec.decode(packed, Setup))
            except ProtocolError:
                self._log.warn("the fixed setup {id} cannot be read", id=setup_id)

    def stop(self) -> None:
        """Stop opening setups, when the server ends."""
        self._is_stopped = True

    def _remember(self, setup: Setup) -> None:
        setup_id = setup.fixed.setup_id
        self._by_id[setup_id] = setup
        self.services.shelf.setup_seeds[setup_id] = setup.seed

    async def _keep(self, setup: Setup) -> None:
        packed = codec.encode(setup, Setup)
        await self.services.store.put(KIND, setup.fixed.setup_id, packed)
        # Only once it is stored: tables need the seed even after a restart.
        self._remember(setup)

    # Requests

    async def make(self, owner: bytes) -> str:
        """Make a setup, and return its code once it is stored. Refused: the owner has too many."""
        own = self._of(owner)
        if len(own) >= PER_KEY or sum(not one.is_closed for one in own) >= OPEN_PER_KEY:
            raise Refused("setup/too_many")
        draw = self.services.entropy.draw
        code, salt, seed = code_text(draw(CODE_BYTES)), draw(SALT_BYTES), draw(SEED_BYTES)
        await self._keep(Setup(code, owner, salt, seed, self.services.now()))
        return code

    def lines(self, owner: bytes) -> tuple[SetupLine, ...]:
        """Return the setups of a key: open ones first, newest first, at most `MAX_SETUPS`."""
        now, summaries = self.services.now(), self.registry.summaries.values()
        stages = [(one.setup_id, one.stage_for(owner, now)) for one in summaries if one.setup_id]
        tables = Counter(setup_id for setup_id, stage in stages if stage in BEGUN)
        over = Counter(setup_id for setup_id, stage in stages if stage is Stage.OVER)
        own = sorted(self._of(owner), key=lambda one: (one.is_closed, -one.made_at, one.code))
        lines = []
        for one in own[:MAX_SETUPS]:
            count, ended = tables[one.fixed.setup_id], over[one.fixed.setup_id]
            lines.append(SetupLine(one.code, one.made_at, one.is_closed, count, count - ended))
        return tuple(lines)

    def _of(self, owner: bytes) -> list[Setup]:
        return [setup for setup in self._by_id.values() if setup.owner == owner]

    def find(self, code: str) -> FixedSetup:
        """Return the public part of an open setup. Refused: no open setup has this code."""
        fixed = self.by_code(code).fixed
        self.refuse_closed(fixed)
        return fixed

    def by_code(self, typed: str) -> Setup:
        """Return the setup of a typed code. Refused: no setup has this code."""
        try:
            setup = self._by_id.get(id_of(parse_code(typed)))
        except UnreadableInvitation:
            setup = None
        if setup is None:
            raise Refused("setup/unknown")
        return setup

    def refuse_closed(self, fixed: FixedSetup | None) -> None:
        """Refuse a closed setup: its seed may be known by now."""
        setup = self._by_id.get(fixed.setup_id) if fixed is not None else None
        if setup is not None and setup.is_closed:
            raise Refused("setup/closed")

    async def close(self, owner: bytes, code: str) -> None:
        """
        Close a setup for good.

        Refused: there is no such setup, another key owns it, or it is closed. The caller calls
        `open_all_due` next.
        """
        setup = self.by_code(code)
        if setup.owner != owner:
            raise Refused("setup/not_yours")
        self.refuse_closed(setup.fixed)
        await self._keep(attrs.evolve(setup, is_closed=True))

    # Opening

    async def open_on(self, host: RoomHost) -> None:
        """Write the seed of a room's setup on its log if the setup is closed and the game over."""
        room = host.room
        summary = summary_of(room.room_id, room.table, room.last_time, due=0)
        if not self._is_due(summary):
            return
        setup = self._by_id[summary.setup_id]
        try:
            await host.submit(events.SetupOpened(setup.salt, setup.seed), CLOCK)
        except (Refused, StorageError) as error:
            # Another call was faster; or the room has stopped, and the next start tries again.
            self._log.info("room {room}: {why}", room=summary.room_id, why=repr(error))

    async def open_all_due(self) -> None:
        """Write the seeds of closed setups on the logs of all finished tables, room by room."""
        # A copy, since tables come and go while others are served.
        for room_id, summary in list(self.registry.summaries.items()):
            if not self._is_due(summary):
                continue
            # Others are served in between, since loading takes long.
            later: Deferred[None] = Deferred()
            self.services.clock.callLater(0, functools.partial(later.callback, None))
            await later
            if self._is_stopped:
                return
            try:
                host = await self.registry.load(room_id)
            except (Refused, StorageError) as error:
                self._log.warn("room {room} cannot be opened: {why}", room=room_id, why=repr(error))
                continue
            try:
                await self.open_on(host)
            finally:
                self.registry.release(host)

    def _is_due(self, summary: Summary) -> bool:
        setup = self._by_id.get(summary.setup_id)
        is_shut = summary.stage is Stage.OVER and summary.has_shut_setup
        return is_shut and setup is not None and setup.is_closed


@handles(messages.MakeSetup, needs=Needs.SERVER, cost=Cost.STORED)
async def make_setup(
    visitor: Visitor, message: messages.MakeSetup, setups: Setups
) -> messages.SetupMade:
    return messages.SetupMade(message.serial, await setups.make(visitor.key))


@handles(messages.ListSetups, needs=Needs.SERVER)
async def list_setups(
    visitor: Visitor, message: messages.ListSetups, setups: Setups
) -> messages.SetupList:
    return messages.SetupList(message.serial, setups.lines(visitor.key))


@handles(messages.CloseSetup, needs=Needs.SERVER, cost=Cost.STORED)
async def close_setup(visitor: Visitor, message: messages.CloseSetup, setups: Setups) -> None:
    await setups.close(visitor.key, message.code)
    run_detached(setups.open_all_due())
