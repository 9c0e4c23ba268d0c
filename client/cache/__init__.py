"""The cache: records of tables that this player has seen, on their own disk."""
