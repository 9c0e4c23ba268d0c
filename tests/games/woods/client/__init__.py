"""The client's part of the woods."""
