"""
What each step of an effect does, and whether it could change anything now.

Importing the package registers the functions of all its modules.
"""

from server.games.cards.rules.steps import bag, cards, enemies, flow, goods, scenario, tests

__all__ = ["bag", "cards", "enemies", "flow", "goods", "scenario", "tests"]
