"""The terminal: what runs there, what is written to it and read from it."""
