"""The command `manse store`: what an operator does with the database of a server."""
