"""
The second edition: one module for each chapter of its rulebook.

Importing any chapter makes the steps of effects known first, so that the order in which chapters
import one another is always the same.
"""

from server.games.second_edition.rules import steps

__all__ = ["steps"]
