"""A player's secrets: the key, the shares of chance, and their files."""
