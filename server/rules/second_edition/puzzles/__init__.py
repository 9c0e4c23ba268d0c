"""Puzzles: one module for each type. Rule PUZZLE-12."""
