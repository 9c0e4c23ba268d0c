"""The cache: what tables have shown to this player, kept on their machine."""
