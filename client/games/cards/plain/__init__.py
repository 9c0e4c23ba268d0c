"""The card game as lines of text, for plain mode."""
