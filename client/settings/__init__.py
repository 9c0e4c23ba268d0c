"""Settings: what a player chose, the file that keeps it, and `manse config`."""
