"""Mail to players who are awaited and away, if the operator has set a relay."""
