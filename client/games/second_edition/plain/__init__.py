"""The second edition as lines of text, for plain mode."""
