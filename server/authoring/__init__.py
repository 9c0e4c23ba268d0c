"""The author's tools: check, draw, play and balance packs."""
