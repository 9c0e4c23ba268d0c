"""
The second edition: one module for each chapter of its rulebook.

Importing any chapter registers the steps of effects first, so that the chapters always import one
another in the same order.
"""

from server.games.second_edition.rules import steps

__all__ = ["steps"]
