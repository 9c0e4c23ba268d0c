"""What the client shows of the toy: nothing of its own."""
