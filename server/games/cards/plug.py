"""The plug of the card game, which the server finds by the name of the game."""

from server.games.cards.rules.ruleset import Cards
from server.kernel.game import Ruleset

RULESET: Ruleset = Cards()
