"""The second edition in the client: on the full screen, and in lines for plain mode."""
