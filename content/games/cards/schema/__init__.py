"""What packs of the card game say, as rules read it."""
