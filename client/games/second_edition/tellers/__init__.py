"""
The tellers of the second edition: each kind of event in words, in a module for each chapter.

The chapters are those of `protocol.games.second_edition.events`.
"""

from client.games.second_edition.tellers import (
    board,
    ending,
    fire,
    harm,
    monsters,
    possessions,
    puzzles,
    rounds,
    skill_tests,
    story,
)
from client.games.second_edition.tellers.base import TELLERS
from client.games.second_edition.tellers.silent import SILENT

__all__ = [
    "SILENT",
    "TELLERS",
    "board",
    "ending",
    "fire",
    "harm",
    "monsters",
    "possessions",
    "puzzles",
    "rounds",
    "skill_tests",
    "story",
]
