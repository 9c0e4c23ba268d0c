"""Texts to read: the cards, the locations, the story, the chaos bag."""
