"""
The second edition: one module for each chapter of its rulebook.

Importing any chapter first registers the steps of effects, so that the chapters always import each
other in the same order.
"""

from server.games.second_edition.rules import steps

__all__ = ["steps"]
