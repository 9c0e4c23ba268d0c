"""The client in the first edition."""
