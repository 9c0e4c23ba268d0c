"""Boxes in which a game is read about: story, journal, lists, notes."""
