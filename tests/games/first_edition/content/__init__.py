"""Packs for the first edition."""
