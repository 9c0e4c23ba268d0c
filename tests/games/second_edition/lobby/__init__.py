"""Products and campaigns of the second edition in the lobby."""
