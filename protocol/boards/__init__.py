"""Boards drawn as text, for the games that have one."""
