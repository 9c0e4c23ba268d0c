"""
Pace: how often something may be asked, by a key, by an address, of a room, and in all.

Keys cost nothing, so what is dear is counted by address too. An address may be a club of sixty
people, who come, sit down and leave in the same minute; its budgets leave room for them.
"""

import enum
from collections.abc import Iterator
from typing import Final

import attrs

from protocol import messages as say
from server.net.handler import Session
from server.net.limits import Bucket

MAX_BUCKETS: Final = 4096
"""Budgets that are remembered; those that were not used for long are forgotten."""

_STORED = (
    say.AddBot,
    say.Chat,
    say.ChooseScenario,
    say.SwitchProducts,
    say.ContinueCampaign,
    say.ClaimCharacters,
    say.ClaimRole,
    say.CloseSetup,
    say.EmptySeat,
    say.EnterTable,
    say.FixSetup,
    say.Invite,
    say.JoinTable,
    say.LeaveSeat,
    say.MakeSetup,
    say.OpenTable,
    say.PlayAgain,
    say.ProposeCorrection,
    say.ProposeGiveSeat,
    say.ProposeGiveUp,
    say.ProposeTakeBack,
    say.RemoveTable,
    say.SetReady,
    say.StartGame,
    say.WatchTable,
)
"""What is kept, and moves no game: talk, proposals, coming and going."""
_MADE = (say.ExportTable, say.ChooseLanguage)
"""What has files made, or all that somebody was told said again."""


class Payer(enum.Enum):
    """Whose budget it is."""

    KEY = "key"
    ADDRESS = "address"
    """All keys of one network; what is in this process has none."""
    ROOM = "room"
    """All who ask something of one room and have no seat there; nobody keeps out who has one."""
    SERVER = "server"
    """All together."""


@attrs.frozen
class Budget:
    """How often some messages are dealt with for one payer."""

    payer: Payer
    messages: tuple[type[say.ClientMessage], ...]
    per_second: float
    """In the long run."""
    at_once: float


BUDGETS: Final = (
    Budget(Payer.KEY, _STORED, per_second=2.0, at_once=60.0),
    Budget(Payer.KEY, _MADE, per_second=0.5, at_once=8.0),
    Budget(Payer.ADDRESS, _STORED, per_second=40.0, at_once=1200.0),
    Budget(Payer.ADDRESS, (say.OpenTable, say.PlayAgain), per_second=1.0, at_once=120.0),
    Budget(Payer.ADDRESS, (say.EnterTable,), per_second=8.0, at_once=480.0),
    Budget(Payer.ADDRESS, _MADE, per_second=4.0, at_once=240.0),
    Budget(Payer.ROOM, (say.EnterTable, say.ExportTable), per_second=4.0, at_once=120.0),
    Budget(Payer.SERVER, (say.OpenTable, say.PlayAgain), per_second=20.0, at_once=1200.0),
)
"""A message is dealt with if all of its budgets have something left."""


@attrs.define(eq=False)
class Pace:
    """What is left of all budgets."""

    _buckets: dict[tuple[int, bytes | str], Bucket] = attrs.field(factory=dict, init=False)
    """By the place of a budget among all, and its payer."""

    def allows(
        self,
        session: Session,
        message: say.ClientMessage,
        now: float,
        *,
        is_seated: bool = False,
    ) -> bool:
        """
        Count a message; return whether its budgets allow it.

        Args:
            session: who says it.
            message: what is said.
            now: in seconds.
            is_seated: whether it is said to a room in which they have a seat.
        """
        return all(bucket.take(now) for bucket in self._charged(session, message, is_seated))

    def _charged(
        self,
        session: Session,
        message: say.ClientMessage,
        is_seated: bool,  # noqa: FBT001 (private)
    ) -> Iterator[Bucket]:
        for at, budget in enumerate(BUDGETS):
            if is_seated and budget.payer is Payer.ROOM:
                continue
            payer = _payer(budget.payer, session, message)
            if payer is not None and isinstance(message, budget.messages):
                yield self._bucket(at, payer)

    def _bucket(self, at: int, payer: bytes | str) -> Bucket:
        budget = BUDGETS[at]
        bucket = self._buckets.pop((at, payer), None) or Bucket(budget.per_second, budget.at_once)
        # The last that were used stand last.
        self._buckets[at, payer] = bucket
        while len(self._buckets) > MAX_BUCKETS:
            del self._buckets[next(iter(self._buckets))]
        return bucket


def _payer(payer: Payer, session: Session, message: say.ClientMessage) -> bytes | str | None:
    match payer:
        case Payer.KEY:
            return session.account.key
        case Payer.ADDRESS:
            return session.network or None
        case Payer.ROOM:
            return message.room_id if isinstance(message, say.RoomMessage) else None
        case Payer.SERVER:
            return ""
