"""Commands and words of the second edition for plain mode."""

from client.games.second_edition.plain.naming import pointed_at
from client.games.second_edition.plain.proposals import PROPOSALS
from client.games.second_edition.plain.reading import READINGS, cards_in_question, puzzle
from client.games.second_edition.plain.words import has_dice, said, status
from client.plain.game import PlainGame
from client.plain.game_commands import GameCommands

COMMANDS = GameCommands(readings=READINGS, proposals=PROPOSALS)

PLAIN = PlainGame(
    pointed_at=pointed_at,
    status=status,
    about_question=cards_in_question,
    before_question=puzzle,
    repeats_about=has_dice,
    said=said,
)
