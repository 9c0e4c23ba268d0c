"""The pieces and events of single games."""
