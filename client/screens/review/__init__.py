"""Finished games, looked back on alone or together."""
