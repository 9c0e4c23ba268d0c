"""The card game on the client: face, journal, plain lines, bots."""
