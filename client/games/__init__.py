"""The parts of the client that belong to single games, found by the name of the game."""
