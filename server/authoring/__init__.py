"""Tools for authors of packs: check, draw, play and balance."""
