"""Checks of single objects of a pack, as it is read."""

from content.games.cards.checks import abilities, keywords, steps
from content.games.cards.checks.registry import CHECKS

__all__ = ["CHECKS", "abilities", "keywords", "steps"]
