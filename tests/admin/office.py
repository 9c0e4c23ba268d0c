"""An in-memory server with connected players and an operator, for tests of administration."""

from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import attrs
from twisted.internet.defer import Deferred

from protocol.keys import SigningKey
from server.admin.act_log import FILE_NAME, ActLog
from server.admin.acts import Acts
from server.admin.bans import Bans
from server.admin.desk import AdminDesk
from server.admin.drain import Drain
from server.admin.view import View
from server.admin.vocabulary import Reply, Request
from tests.kit.servers.house import House
from tests.kit.servers.people import Bench, RawClient, bench

T = TypeVar("T")

USER = 1000


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never has to wait, such as one on a store in memory."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("it waits for something")


def key_of(name: str) -> SigningKey:
    return SigningKey.from_seed(name.encode().ljust(32, b"."))


@attrs.define(eq=False)
class Office:
    """An in-memory server and its operator."""

    folder: Path
    house: House = attrs.field(factory=House)
    network: Bench = attrs.field(init=False)
    bans: Bans = attrs.field(init=False)
    admin: AdminDesk = attrs.field(init=False)
    ended: list[float] = attrs.field(factory=list)
    """Times at which the server was told to end."""
    saved: list[Path] = attrs.field(factory=list)
    """Paths of the backups that were written."""

    def __attrs_post_init__(self) -> None:
        house = self.house
        self.network = bench(behind=house.lobby.sessions, clock=house.clock)
        factory = self.network.factory
        self.bans = Bans(house.store)
        at_once(self.bans.load())
        factory.context = attrs.evolve(factory.context, refusal_of=self.bans.refusal)
        view = View("Office", "no-fingerprint", house.lobby, factory, self.folder / "none.sqlite")
        drain = Drain(view, house.clock, lambda: self.ended.append(self.house.clock.seconds()))
        view.seconds_left = lambda: drain.seconds_left
        acts = Acts(view, self.bans, drain, self._back_up, self.now)
        self.admin = AdminDesk(acts, ActLog(self.folder / FILE_NAME, self.now))

    async def _back_up(self, target: Path) -> None:
        if target.exists():  # noqa: ASYNC240 (a test that waits for nothing)
            raise FileExistsError(f"{target} is there already")
        self.saved.append(target)

    def now(self) -> int:
        return 1_700_000_000_000 + int(self.house.clock.seconds() * 1000)

    def ask(self, request: Request) -> Reply:
        """Send a request as the operator, and run everything that follows from it."""
        dealing = Deferred.fromCoroutine(self.admin.answer(request, USER))
        self.network.network.settle(0.1)
        replies: list[Reply] = []
        _ = dealing.addCallback(replies.append)
        return replies[0]

    def guest(self, name: str) -> RawClient:
        """Connect a client and have it try to log in."""
        client = self.network.client(name)
        client.log_in(key_of(name))
        self.network.network.settle(0.1)
        return client

    def log(self) -> str:
        """Return the log of acts."""
        path = self.folder / FILE_NAME
        return path.read_text("ascii") if path.exists() else ""
