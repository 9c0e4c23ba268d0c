"""The second edition in lines."""
