"""What the client shows of the toy."""
