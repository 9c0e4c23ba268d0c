"""The rules of each game, looked up by the game's name."""
