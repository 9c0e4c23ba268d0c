"""The rules of single games; each is found by its name."""
