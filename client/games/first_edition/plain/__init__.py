"""The first edition as lines of text, for plain mode."""
