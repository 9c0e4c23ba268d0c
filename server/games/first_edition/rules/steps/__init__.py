"""The steps of effects: one module for each theme, one function for each step."""

from server.games.first_edition.rules.steps import (
    allies,
    course,
    house,
    investigators,
    monsters,
    outdoors,
)

__all__ = ["allies", "course", "house", "investigators", "monsters", "outdoors"]
