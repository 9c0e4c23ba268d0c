"""The plug of the second edition: what kernel and lobby find by the name of the game."""

from server.games.second_edition.rules.ruleset import SecondEdition
from server.kernel.game import Ruleset

RULESET: Ruleset = SecondEdition()
