"""The second edition in lines, for plain mode."""
