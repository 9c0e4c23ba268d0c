"""Tests of the packs of the card game."""
