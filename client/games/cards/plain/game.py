"""Commands and words of the card game for plain mode."""

from client.games.cards.plain.naming import pointed_at
from client.games.cards.plain.reading import READINGS, about_question, before_question
from client.games.cards.plain.words import status
from client.plain.game import PlainGame
from client.plain.game_commands import GameCommands

COMMANDS = GameCommands(readings=READINGS)

PLAIN = PlainGame(
    pointed_at=pointed_at,
    status=status,
    about_question=about_question,
    before_question=before_question,
    # A window asks no more than "use something?": what it is at stands in front.
    repeats_about=lambda _: True,
)
