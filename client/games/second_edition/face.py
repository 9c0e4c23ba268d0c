"""The face of the second edition."""

from client.games.face import GameFace
from client.games.second_edition.bot.brain import pick_sensibly

FACE = GameFace(
    "second_edition",
    bot={"": pick_sensibly},
)
