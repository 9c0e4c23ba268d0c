"""The plug of a game's content, and the packs of all games."""
