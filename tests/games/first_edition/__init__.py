"""The first edition: its content, rules and screens."""
