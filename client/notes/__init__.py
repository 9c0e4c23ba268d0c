"""What a player writes down about a game, on their own machine alone."""
