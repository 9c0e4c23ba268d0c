"""Finished games: export, sharing, review and practice."""
