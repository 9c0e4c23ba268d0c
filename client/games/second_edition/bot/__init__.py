"""How bots play the second edition."""

from collections.abc import Mapping

from client.games.second_edition.bot.brain import pick_sensibly
from client.plugs.brains import Brain

BRAINS: Mapping[str, Brain] = {"": pick_sensibly}
"""By role; that of the role `""` for every role that is not named."""
