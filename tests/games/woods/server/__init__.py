"""The rules of the woods."""
