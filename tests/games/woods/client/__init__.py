"""What the client shows of the woods."""
