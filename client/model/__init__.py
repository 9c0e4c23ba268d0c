"""The model: everything that a client knows, and the words for it."""
