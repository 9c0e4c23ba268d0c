"""The rules of the card game, by their ids."""
