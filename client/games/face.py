"""
The face of a game: what the client shows of it, and how, beyond what every game has.

A game without a face is drawn from its questions and its records alone.
"""

import functools

import attrs

from protocol.plugs import UnknownGameError, plug


@attrs.frozen
class GameFace:
    """What one game brings to the client; each field has a default that suits any game."""

    ruleset: str


@functools.cache
def face_of(ruleset: str) -> GameFace:
    """Return the face of a game; that of no game in particular, if none is installed."""
    try:
        found = plug("client", ruleset, "face").FACE
    except UnknownGameError:
        return GameFace(ruleset)
    assert isinstance(found, GameFace)
    return found
