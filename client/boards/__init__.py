"""Boards drawn on a terminal: a library for the faces of games that have a map."""
