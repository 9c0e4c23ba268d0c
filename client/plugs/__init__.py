"""The interfaces of a game in the client: face, brains, lessons, preparation, statistics."""
