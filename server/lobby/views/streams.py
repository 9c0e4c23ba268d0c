"""Streams with an end: signal when a session has taken the last message."""

from collections.abc import Iterator

from twisted.internet.defer import Deferred

from protocol.messages import ServerMessage
from protocol.seams import Clock
from server.net.handler import Session


def taken(session: Session, messages: Iterator[ServerMessage], clock: Clock) -> Deferred[None]:
    """
    Stream messages; the result fires once the session has taken the last one.

    It never fires if the session ends first.
    """
    done: Deferred[None] = Deferred()
    is_given = False

    def all_of_them() -> Iterator[ServerMessage]:
        yield from messages
        # In a later turn, since the session is still busy with this stream.
        if is_given:
            clock.callLater(0, lambda: done.callback(None))
        else:
            done.callback(None)

    session.stream(all_of_them())
    is_given = True
    return done
