"""The rules of the card game: a module for each chapter of its catalogue."""

from server.games.cards.rules import steps

__all__ = ["steps"]
