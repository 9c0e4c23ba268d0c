"""Readers of the files of a pack, for packs of any game."""
