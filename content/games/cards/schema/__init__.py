"""The schema of packs of the card game, as rules read them."""
