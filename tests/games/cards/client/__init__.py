"""The card game on the client."""
