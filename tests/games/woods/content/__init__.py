"""The content of the woods."""
