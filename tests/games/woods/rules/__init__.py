"""The rulebook of the woods."""
