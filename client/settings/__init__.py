"""Settings: the player's preferences, their file, and `manse config`."""
