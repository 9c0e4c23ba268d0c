"""The face of the second edition."""

from client.games.face import GameFace
from client.games.second_edition.bot.brain import pick_sensibly
from client.games.second_edition.lessons import LESSONS

FACE = GameFace(
    "second_edition",
    bot={"": pick_sensibly},
    lessons={"": LESSONS},
)
