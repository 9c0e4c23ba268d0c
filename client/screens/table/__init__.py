"""One table: the waiting room before its game, and the game itself."""
