"""
Pace: how often something may be asked, by a key, by an address, of a room, and in all.

Keys cost nothing, so what is dear is counted by address too. An address may be a club of sixty
people, who come, sit down and leave in the same minute; its budgets leave room for them.
"""

import enum
import functools
from collections.abc import Iterator
from typing import Final

import attrs

from protocol import messages as say
from protocol.vocabulary import message_kinds
from server.net.handler import Session
from server.net.limits import Bucket

MAX_BUCKETS: Final = 4096
"""Budgets that are remembered; those that were not used for long are forgotten."""

_STORED = (
    say.AcceptSetup,
    say.AgreeForAbsent,
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
    say.JoinKnownTable,
    say.JoinReview,
    say.JoinTable,
    say.LeaveSeat,
    say.MakeSetup,
    say.NoteGame,
    say.OpenTable,
    say.PlayAgain,
    say.PointInReview,
    say.Practise,
    say.ProposeCorrection,
    say.ProposeGiveSeat,
    say.ProposeGiveUp,
    say.ProposeTakeBack,
    say.RemoveTable,
    say.RenewInvitations,
    say.SetReady,
    say.ShareGame,
    say.StartGame,
    say.TalkInReview,
    say.UnnoteGame,
    say.WatchTable,
)
"""What is kept, and moves no game: talk, proposals, coming and going."""
_MADE = (say.ExportTable, say.ChooseLanguage, say.Practise)
"""What has files or logs made, or all that somebody was told said again."""
_LOADING = (say.EnterTable, say.ExportTable, say.JoinReview, say.ListGameNotes, say.Practise)
"""What has a room read."""
_OPENED = (say.OpenTable, say.PlayAgain, say.Practise)
"""What makes a new table."""
_ASKED = (say.FindGames, say.ListAwaited, say.ListLostSeats, say.ListResults)
"""What looks through all tables, for whoever comes by again and again."""
_REVIEWS = (say.HandReview, say.LeadReview, say.LeaveReview, say.SupposeInReview)
"""What each member of a review is told of, and nothing keeps."""
_LISTED = (say.ListGameNotes, say.ListReviews)
"""What clients ask by themselves, whenever they come and whenever a game is opened."""
_MAILED = (say.SetMail, say.ConfirmMail, say.StopMail)
"""What may send mail, or try a code."""


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


@attrs.frozen
class Paces:
    """What an operator can choose: the budgets of one address, behind which a whole club may be."""

    asks_at_once: float = 1200.0
    """Of what is kept: talk, proposals, coming and going."""
    asks_per_second: float = 40.0
    tables_at_once: float = 120.0
    """Of tables that are opened."""
    tables_per_second: float = 1.0
    entries_at_once: float = 480.0
    """Of coming to a table."""
    entries_per_second: float = 8.0
    exports_at_once: float = 240.0
    """Of exports, and of words in another language."""
    exports_per_second: float = 4.0


def budgets_of(paces: Paces) -> tuple[Budget, ...]:
    """Return all budgets. A message is dealt with if all of its own have something left."""
    return (
        Budget(Payer.KEY, _STORED, per_second=2.0, at_once=60.0),
        Budget(Payer.KEY, _MADE, per_second=0.5, at_once=8.0),
        Budget(Payer.ADDRESS, _STORED, paces.asks_per_second, paces.asks_at_once),
        Budget(Payer.ADDRESS, _OPENED, paces.tables_per_second, paces.tables_at_once),
        Budget(Payer.ADDRESS, (say.EnterTable,), paces.entries_per_second, paces.entries_at_once),
        Budget(Payer.ADDRESS, _MADE, paces.exports_per_second, paces.exports_at_once),
        Budget(Payer.ROOM, _LOADING, per_second=4.0, at_once=120.0),
        Budget(Payer.KEY, _ASKED, per_second=0.2, at_once=10.0),
        Budget(Payer.ADDRESS, _ASKED, per_second=4.0, at_once=240.0),
        Budget(Payer.KEY, _REVIEWS, per_second=6.0, at_once=30.0),
        Budget(Payer.ADDRESS, _REVIEWS, paces.asks_per_second, paces.asks_at_once),
        Budget(Payer.KEY, _LISTED, per_second=0.5, at_once=30.0),
        Budget(Payer.ADDRESS, _LISTED, paces.asks_per_second, paces.asks_at_once),
        Budget(Payer.KEY, _MAILED, per_second=0.02, at_once=10.0),
        Budget(Payer.ADDRESS, _MAILED, per_second=0.1, at_once=60.0),
        Budget(Payer.SERVER, _OPENED, per_second=20.0, at_once=1200.0),
    )


BUDGETS: Final = budgets_of(Paces())
"""Where nobody has chosen others."""


@functools.cache
def _places_of(tag: str) -> tuple[int, ...]:
    """Return the places of the budgets by which messages of a kind are counted."""
    kind = message_kinds()[tag]
    return tuple(at for at, one in enumerate(BUDGETS) if issubclass(kind, one.messages))


@attrs.define(eq=False)
class Pace:
    """What is left of all budgets."""

    budgets: tuple[Budget, ...] = attrs.field(default=BUDGETS, init=False)
    _buckets: dict[tuple[int, bytes | str], Bucket] = attrs.field(factory=dict, init=False)
    """By the place of a budget among all, and its payer."""

    def take(self, paces: Paces) -> None:
        """Count by these from now on; where they are others, with nothing used yet."""
        budgets = budgets_of(paces)
        if budgets != self.budgets:
            self.budgets = budgets
            self._buckets.clear()

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
        buckets = list(self._charged(session, message, is_seated))
        # All are asked before any pays: a refused message must cost nothing.
        return all(one.has_token(now) for one in buckets) and all(one.take(now) for one in buckets)

    def _charged(
        self,
        session: Session,
        message: say.ClientMessage,
        is_seated: bool,  # noqa: FBT001 (private)
    ) -> Iterator[Bucket]:
        for at in _places_of(message.tag):
            paid_by = self.budgets[at].payer
            if is_seated and paid_by is Payer.ROOM:
                continue
            payer = _payer(paid_by, session, message)
            if payer is not None:
                yield self._bucket(at, payer)

    def _bucket(self, at: int, payer: bytes | str) -> Bucket:
        budget = self.budgets[at]
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
