"""The tables and events of single games."""
