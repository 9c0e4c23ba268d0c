"""The card game: its content, rules and screens."""
