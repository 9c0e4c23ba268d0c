"""
Tellers of the card game: each puts one kind of event into words.

The chapters are those of `protocol.games.cards.events`.
"""

from client.games.cards.tellers import effects, moves, rounds, setup, skill_tests, tokens
from client.games.cards.tellers.base import TELLERS
from client.games.cards.tellers.silent import SILENT

__all__ = [
    "SILENT",
    "TELLERS",
    "effects",
    "moves",
    "rounds",
    "setup",
    "skill_tests",
    "tokens",
]
