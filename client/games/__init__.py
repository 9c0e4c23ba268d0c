"""What the client knows of single games; each is found by its name."""
