"""A player's secrets: the key, the shares of chance, and the files in which they are kept."""
