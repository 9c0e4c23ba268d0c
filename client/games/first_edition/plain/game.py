"""Commands and words of the first edition for plain mode."""

from client.games.first_edition.plain.naming import pointed_at
from client.games.first_edition.plain.reading import READINGS, about_question, before_question
from client.games.first_edition.plain.words import status
from client.plain.game import PlainGame
from client.plain.game_commands import GameCommands

COMMANDS = GameCommands(readings=READINGS)

PLAIN = PlainGame(
    pointed_at=pointed_at,
    status=status,
    about_question=about_question,
    before_question=before_question,
)
