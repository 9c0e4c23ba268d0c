"""
The first edition: one module for each chapter of its rulebook.

Importing this package also imports the steps of effects, so that all of them can be resolved.
"""

from server.games.first_edition.rules import steps

__all__ = ["steps"]
