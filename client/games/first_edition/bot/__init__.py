"""How bots play the first edition: a brain for each side."""

from collections.abc import Mapping

from client.games.first_edition.bot.brain import investigate, keep
from client.plugs.brains import Brain
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER

BRAINS: Mapping[str, Brain] = {KEEPER: keep, INVESTIGATOR: investigate}
"""Brains by role."""
