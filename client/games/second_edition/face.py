"""The face of the second edition."""

from client.games.face import GameFace

FACE = GameFace("second_edition")
