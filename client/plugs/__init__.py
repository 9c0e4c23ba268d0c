"""The parts that a game can add to the client: face, brains, lessons, preparation, statistics."""
