"""Packs for the second edition."""
