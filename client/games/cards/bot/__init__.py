"""How bots play the card game."""

from collections.abc import Mapping

from client.games.cards.bot.brain import pick_sensibly
from client.plugs.brains import Brain

BRAINS: Mapping[str, Brain] = {"": pick_sensibly}
"""By role; there is one."""
