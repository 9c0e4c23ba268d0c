"""The rules of the first edition, by their ids."""
