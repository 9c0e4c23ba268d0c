"""The lobby: clients open, join, follow and play tables through it."""
