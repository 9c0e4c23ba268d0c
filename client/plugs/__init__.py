"""What a game may bring to the client: its face, its brains, its lessons."""
