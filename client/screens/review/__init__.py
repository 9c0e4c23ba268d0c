"""Finished games, reviewed alone or together."""
