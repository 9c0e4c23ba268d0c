"""Bots: programs that play a seat of a table without a person."""
