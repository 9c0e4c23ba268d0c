"""A player's private notes on games, kept on their own machine."""
