"""
Pace: limits the rate of requests by key, by address, by room, and for the whole server.

Keys cost nothing, so expensive requests are counted by address too. An address may be that of a
club: its budgets suffice for sixty people who come, sit down and leave within one minute. Each
handler declares the budgets that its messages use.
"""

import enum
from collections.abc import Iterator
from typing import Final

import attrs

from protocol import messages
from server.net.handler import Session
from server.net.limits import Bucket

MAX_BUCKETS: Final = 4096
"""Maximum number of buckets in memory; the least recently used bucket is dropped first."""


class Cost(enum.Flag):
    """Cost of a message for the server; each flag has its own budgets."""

    STORED = enum.auto()
    """Writes to the store without moving the game: chat, proposals, coming and going."""
    MADE = enum.auto()
    """Produces a file or a log, or sends all words of a session again."""
    LOADING = enum.auto()
    """Reads a room from the store."""
    OPENED = enum.auto()
    """Opens a table."""
    ENTERED = enum.auto()
    """Lets a session follow a room."""
    SEARCHED = enum.auto()
    """Searches all tables, and clients repeat the request by themselves."""
    REVIEWED = enum.auto()
    """Sends something unstored to every member of a review."""
    LISTED = enum.auto()
    """Sends a list that clients request by themselves when they connect or open a game."""
    MAILED = enum.auto()
    """May send a mail, or tries a code."""


FREE: Final = Cost(0)
"""No budget, for messages that move the game or are answered from memory. The limit of the
connection suffices."""


class Payer(enum.Enum):
    """Unit whose messages share a budget."""

    KEY = "key"
    ADDRESS = "address"
    """All keys of one network. Sessions within this process have no such payer."""
    ROOM = "room"
    """All clients without a seat in one room, so that they use up no seat's budget."""
    SERVER = "server"
    """All clients together."""


@attrs.frozen
class Budget:
    """Limit on the messages of one cost from one payer."""

    payer: Payer
    cost: Cost
    per_second: float
    """Sustained rate, in messages per second."""
    at_once: float


@attrs.frozen
class Paces:
    """Budgets of one address, which may be a whole club. The operator sets them."""

    asks_at_once: float = 1200.0
    """Maximum burst of messages of cost `STORED`."""
    asks_per_second: float = 40.0
    tables_at_once: float = 120.0
    """Maximum burst of opened tables."""
    tables_per_second: float = 1.0
    entries_at_once: float = 480.0
    """Maximum burst of sessions that begin to follow a table."""
    entries_per_second: float = 8.0
    exports_at_once: float = 240.0
    """Maximum burst of exported files and changes of language."""
    exports_per_second: float = 4.0


def budgets_of(paces: Paces) -> tuple[Budget, ...]:
    """Return all budgets. A message is handled if each budget of its cost has a token left."""
    asks = paces.asks_per_second, paces.asks_at_once
    return (
        Budget(Payer.KEY, Cost.STORED, per_second=2.0, at_once=60.0),
        Budget(Payer.KEY, Cost.MADE, per_second=0.5, at_once=8.0),
        Budget(Payer.ADDRESS, Cost.STORED, *asks),
        Budget(Payer.ADDRESS, Cost.OPENED, paces.tables_per_second, paces.tables_at_once),
        Budget(Payer.ADDRESS, Cost.ENTERED, paces.entries_per_second, paces.entries_at_once),
        Budget(Payer.ADDRESS, Cost.MADE, paces.exports_per_second, paces.exports_at_once),
        Budget(Payer.ROOM, Cost.LOADING, per_second=4.0, at_once=120.0),
        Budget(Payer.KEY, Cost.SEARCHED, per_second=0.2, at_once=10.0),
        Budget(Payer.ADDRESS, Cost.SEARCHED, per_second=4.0, at_once=240.0),
        Budget(Payer.KEY, Cost.REVIEWED, per_second=6.0, at_once=30.0),
        Budget(Payer.ADDRESS, Cost.REVIEWED, *asks),
        Budget(Payer.KEY, Cost.LISTED, per_second=0.5, at_once=30.0),
        Budget(Payer.ADDRESS, Cost.LISTED, *asks),
        Budget(Payer.KEY, Cost.MAILED, per_second=0.02, at_once=10.0),
        Budget(Payer.ADDRESS, Cost.MAILED, per_second=0.1, at_once=60.0),
        Budget(Payer.SERVER, Cost.OPENED, per_second=20.0, at_once=1200.0),
    )


BUDGETS: Final = budgets_of(Paces())


@attrs.define(eq=False)
class Pace:
    """Token buckets for all budgets, one for each payer of a budget."""

    budgets: tuple[Budget, ...] = attrs.field(default=BUDGETS, init=False)
    _buckets: dict[tuple[int, bytes | str], Bucket] = attrs.field(factory=dict, init=False)
    """Buckets by index of the budget and by payer, least recently used first."""

    def replace(self, paces: Paces) -> None:
        """Replace the budgets; if they changed, all buckets start full."""
        budgets = budgets_of(paces)
        if budgets != self.budgets:
            self.budgets = budgets
            self._buckets.clear()

    def allows(
        self,
        session: Session,
        message: messages.ClientMessage,
        cost: Cost,
        now: float,
        *,
        is_seated: bool = False,
    ) -> bool:
        """
        Return True if all budgets of a message have a token left, and take a token of each.

        Args:
            session: the sender.
            message: the message, which may name a room.
            cost: the cost that its handler declares.
            now: the time in seconds.
            is_seated: True if the sender has a seat in the room.
        """
        if not cost:
            return True
        buckets = list(self._charged(session, message, cost, is_seated=is_seated))
        # All are asked before any pays: a refused message must cost nothing.
        return all(one.has_token(now) for one in buckets) and all(one.take(now) for one in buckets)

    def _charged(
        self, session: Session, message: messages.ClientMessage, cost: Cost, *, is_seated: bool
    ) -> Iterator[Bucket]:
        for at, budget in enumerate(self.budgets):
            if budget.cost not in cost or (is_seated and budget.payer is Payer.ROOM):
                continue
            payer = _payer(budget.payer, session, message)
            if payer is None:
                continue
            # Removed and added again, so that the dict is in the order of last use.
            bucket = self._buckets.pop((at, payer), None)
            self._buckets[at, payer] = bucket or Bucket(budget.per_second, budget.at_once)
            while len(self._buckets) > MAX_BUCKETS:
                del self._buckets[next(iter(self._buckets))]
            yield self._buckets[at, payer]


def _payer(payer: Payer, session: Session, message: messages.ClientMessage) -> bytes | str | None:
    match payer:
        case Payer.KEY:
            return session.account.key
        case Payer.ADDRESS:
            return session.network or None
        case Payer.ROOM:
            return message.room_id if isinstance(message, messages.RoomMessage) else None
        case Payer.SERVER:
            return ""
