"""PROTOCOL.md as an outsider reads it, with games of the second edition."""
