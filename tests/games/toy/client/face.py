"""The toy's face: it brings none, so that all that is drawn is what every game has."""

from client.games.face import GameFace

FACE = GameFace("toy")
