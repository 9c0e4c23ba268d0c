"""The steps of effects: one module for each theme, one function for each step."""

from server.games.first_edition.rules.steps import course, harm, house, monsters, moves, trauma

__all__ = ["course", "harm", "house", "monsters", "moves", "trauma"]
