"""
Each kind of event of the second edition in words, a module for each chapter.

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

__all__ = [
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
