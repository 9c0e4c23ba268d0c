"""Table, events and laws of the card game."""
