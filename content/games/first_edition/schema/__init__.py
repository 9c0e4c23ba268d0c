"""The classes of packs of the first edition."""
