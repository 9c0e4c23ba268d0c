"""Puzzles: attempts, and one module for each type. Rule PUZZLE-12."""

from server.games.second_edition.rules.puzzles import code, lock, slide

__all__ = ["code", "lock", "slide"]
