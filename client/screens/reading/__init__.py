"""Boxes for reading about a game: story, journal, lists, notes."""
