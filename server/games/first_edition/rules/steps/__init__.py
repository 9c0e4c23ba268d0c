"""The steps of effects: one module for each theme, one function for each step."""

from server.games.first_edition.rules.steps import course, house, investigators, monsters, outdoors

__all__ = ["course", "house", "investigators", "monsters", "outdoors"]
