"""The plug of the second edition: the objects that kernel and lobby look up by the game's name."""

from server.games.second_edition.rules.ruleset import SecondEdition
from server.kernel.game import Ruleset

RULESET: Ruleset = SecondEdition()
