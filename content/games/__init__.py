"""The packs of single games: schema, checks and loader; each is found by its name."""
