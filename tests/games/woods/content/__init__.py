"""Content of the woods."""
