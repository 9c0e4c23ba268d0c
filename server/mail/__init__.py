"""Mails to players who are awaited and away, where the operator set a relay."""
