"""The cache: records of tables that a player has seen, on the player's own disk."""
