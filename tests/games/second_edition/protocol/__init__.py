"""PROTOCOL.md as an outsider reads it, checked with games of the second edition."""
