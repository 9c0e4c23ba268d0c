"""Parts that the rules of several games are made of; as pure as rules, and naming no game."""
