"""Dice: eight sides with three kinds of face. Rules DICE-1 and DICE-2."""

from protocol.games.second_edition.table import Face
from server.games.second_edition.rules.play import Play

FACES = (Face.SUCCESS,) * 3 + (Face.INVESTIGATION,) * 2 + (Face.BLANK,) * 3
"""The eight faces of a die. Rule DICE-1."""


def roll(play: Play, purpose: str, count: int) -> tuple[Face, ...]:
    """Roll all dice at once; a count of 0 or less rolls none. TEST-7, DECIDE-111."""
    if count < 1:
        return ()
    return tuple(FACES[face] for face in play.roll(purpose, count, sides=len(FACES)))
