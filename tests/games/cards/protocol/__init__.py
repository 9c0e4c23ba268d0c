"""The protocol of the card game."""
