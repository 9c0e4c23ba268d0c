"""How a bot plays the second edition."""
