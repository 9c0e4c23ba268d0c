"""The content of the card game: schema, checks and loader of its packs."""
