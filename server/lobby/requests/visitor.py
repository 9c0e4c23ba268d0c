"""Visitors: what the lobby knows of one session."""

from collections import deque

import attrs

from protocol import messages
from server.lobby.views.words import Wordsmith
from server.net.handler import Session
from server.net.scheduling import Party

MAX_INBOX = 256
"""Messages of one session that may wait for the one before."""


@attrs.define(eq=False)
class Visitor:
    """What the lobby knows of one session."""

    session: Session
    words: Wordsmith
    following: set[str] = attrs.field(factory=set)
    """Rooms that it entered."""
    watching: set[str] = attrs.field(factory=set)
    """Rooms that this session was invited to spectate."""
    speaking_for: dict[str, int] = attrs.field(factory=dict)
    """By practice game, the seat for which its player speaks."""
    inbox: deque[messages.ClientMessage] = attrs.field(factory=deque)
    """What it said and was not dealt with yet: one thing after another."""
    is_busy: bool = False
    is_gone: bool = False

    @property
    def party(self) -> Party:
        """For whom the scheduler does what is done for it."""
        return Party(self.session.network, self.session)
