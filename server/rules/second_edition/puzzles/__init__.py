"""Puzzles: attempts, and one module for each type. Rule PUZZLE-12."""

from server.rules.second_edition.puzzles import code, lock, slide

__all__ = ["code", "lock", "slide"]
