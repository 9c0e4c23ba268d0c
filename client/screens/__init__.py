"""Screens and boxes of the full-screen client, with their keys."""
