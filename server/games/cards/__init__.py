"""The card game: plug and rules."""
