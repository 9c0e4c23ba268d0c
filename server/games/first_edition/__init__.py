"""The first edition: one keeper against a team of investigators."""
