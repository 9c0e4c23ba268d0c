"""The rulebooks. Pure: chance, content and people are reached through the game alone."""
