"""Parts that the rules of several games share. They are as pure as rules, and name no game."""
