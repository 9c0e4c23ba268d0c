"""The command `manse`: how it starts the others, and how all of them speak."""
