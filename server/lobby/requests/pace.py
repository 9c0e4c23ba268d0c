"""
Pace: how often something may be asked, by a key, by an address, of a room, and in all.

Keys cost nothing, so what is expensive is counted by address too. An address may be a club of sixty
people, who come, sit down and leave in the same minute; its budgets leave room for them. Its
handler declares which budgets a message uses.
"""

import enum
from collections.abc import Iterator
from typing import Final

import attrs

from protocol import messages
from server.net.handler import Session
from server.net.limits import Bucket

MAX_BUCKETS: Final = 4096
"""Buckets in memory; the one unused for longest is dropped first."""


class Cost(enum.Flag):
    """Cost of a message for the server; each part has its own budgets."""

    STORED = enum.auto()
    """It is kept and moves no game: talk, proposals, coming and going."""
    MADE = enum.auto()
    """A file or a log is made, or all words that a session has are sent again."""
    LOADING = enum.auto()
    """A room is read."""
    OPENED = enum.auto()
    """A table is made."""
    ENTERED = enum.auto()
    """A session begins to follow a room."""
    SEARCHED = enum.auto()
    """All tables are searched, for clients that ask again and again."""
    REVIEWED = enum.auto()
    """Every member of a review is sent something that nobody keeps."""
    LISTED = enum.auto()
    """Clients ask it by themselves, whenever they connect or open a game."""
    MAILED = enum.auto()
    """A mail may be sent, or a code tried."""


FREE: Final = Cost(0)
"""Moves the game, or answers from memory: the limit of the connection is enough."""


class Payer(enum.Enum):
    """Unit that has a budget of its own."""

    KEY = "key"
    ADDRESS = "address"
    """All keys of one network; sessions within this process have none."""
    ROOM = "room"
    """All who ask something of one room without a seat there; they keep out no seat."""
    SERVER = "server"
    """All together."""


@attrs.frozen
class Budget:
    """How often one payer may ask what has a cost."""

    payer: Payer
    cost: Cost
    per_second: float
    """In the long run."""
    at_once: float


@attrs.frozen
class Paces:
    """Settings of the operator: budgets of one address, which may be a whole club."""

    asks_at_once: float = 1200.0
    """Messages that are kept: talk, proposals, coming and going."""
    asks_per_second: float = 40.0
    tables_at_once: float = 120.0
    """Tables opened."""
    tables_per_second: float = 1.0
    entries_at_once: float = 480.0
    """Sessions that begin to follow a table."""
    entries_per_second: float = 8.0
    exports_at_once: float = 240.0
    """Files, and changes of language."""
    exports_per_second: float = 4.0


def budgets_of(paces: Paces) -> tuple[Budget, ...]:
    """Return all budgets. A message is handled if each of its own has a token left."""
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
"""Default budgets."""


@attrs.define(eq=False)
class Pace:
    """The buckets of all budgets."""

    budgets: tuple[Budget, ...] = attrs.field(default=BUDGETS, init=False)
    _buckets: dict[tuple[int, bytes | str], Bucket] = attrs.field(factory=dict, init=False)
    """Buckets by index of the budget and payer, least recently used first."""

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
        Return whether all budgets of a message have a token left; if so, take one of each.

        Args:
            session: the sender.
            message: names the room, if any.
            cost: of its handler.
            now: in seconds.
            is_seated: whether the sender has a seat in the room.
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
