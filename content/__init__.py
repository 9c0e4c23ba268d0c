"""Content: packs of scenarios, cards and texts as data; how they are read, and for which game."""
