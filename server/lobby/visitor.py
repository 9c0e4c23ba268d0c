"""Visitors: what the lobby knows of one session, and how fast somebody may talk to it."""

from collections import deque

import attrs

from protocol import messages as say
from server.lobby.words import Wordsmith
from server.net.handler import Session
from server.net.limits import Bucket
from server.scheduling import Party

MAX_INBOX = 256
"""Messages of one session that may wait for the one before."""

STORED_PER_SECOND, STORED_AT_ONCE = 2.0, 60.0
"""How fast one key may say what is kept and moves no game: talk, proposals, coming and going."""
EXPORTS_PER_SECOND, EXPORTS_AT_ONCE = 0.5, 8.0
"""How fast one key may have files made, or all that it was told said again."""

MAX_BUCKETS = 4096
"""Keys whose pace is remembered; those who were silent for long are forgotten."""

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
    say.ProposeCorrection,
    say.ProposeGiveSeat,
    say.ProposeTakeBack,
    say.SetReady,
    say.StartGame,
    say.WatchTable,
)


@attrs.define(eq=False)
class Visitor:
    """What the lobby knows of one session."""

    session: Session
    words: Wordsmith
    following: set[str] = attrs.field(factory=set)
    """Rooms that it entered."""
    watching: set[str] = attrs.field(factory=set)
    """Rooms that this session was invited to spectate."""
    inbox: deque[say.ClientMessage] = attrs.field(factory=deque)
    """What it said and was not dealt with yet: one thing after another."""
    is_busy: bool = False
    is_gone: bool = False

    @property
    def party(self) -> Party:
        """For whom the scheduler does what is done for it."""
        return Party(self.session.network, self.session)


@attrs.define(eq=False)
class Pace:
    """How fast each key may fill the store."""

    _buckets: dict[tuple[bytes, str], Bucket] = attrs.field(factory=dict, init=False)

    def allows(self, key: bytes, message: say.ClientMessage, now: float) -> bool:
        """Count a message; return whether its key keeps its pace. `now` is in seconds."""
        if isinstance(message, _STORED):
            return self._bucket(key, "stored", STORED_PER_SECOND, STORED_AT_ONCE).take(now)
        if isinstance(message, say.ExportTable | say.ChooseLanguage):
            return self._bucket(key, "export", EXPORTS_PER_SECOND, EXPORTS_AT_ONCE).take(now)
        return True

    def _bucket(self, key: bytes, kind: str, per_second: float, at_once: float) -> Bucket:
        bucket = self._buckets.pop((key, kind), None) or Bucket(per_second, at_once)
        # The last to speak stand last.
        self._buckets[key, kind] = bucket
        while len(self._buckets) > MAX_BUCKETS:
            del self._buckets[next(iter(self._buckets))]
        return bucket
