"""The rules of the second edition."""
