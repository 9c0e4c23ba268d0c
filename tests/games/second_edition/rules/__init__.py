"""Rulebook, rule by rule."""
