"""A player's secrets: keys and shares of chance, and their files."""
