"""Tests that need one game."""
