"""How bots play the second edition."""

from collections.abc import Mapping

from client.games.second_edition.bot.brain import pick_sensibly
from client.plugs.brains import Brain

BRAINS: Mapping[str, Brain] = {"": pick_sensibly}
"""Brains by role; `""` is the key for all roles."""
