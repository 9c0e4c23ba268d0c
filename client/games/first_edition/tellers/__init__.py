"""
The tellers of the first edition: each kind of event in words, in a module for each chapter.

The chapters are those of `protocol.games.first_edition.events`.
"""

from client.games.first_edition.tellers import (
    attribute_tests,
    board,
    cards,
    harm,
    keeper,
    outdoors,
    puzzles,
    rounds,
    setup,
)
from client.games.first_edition.tellers.base import TELLERS
from client.games.first_edition.tellers.silent import SILENT

__all__ = [
    "SILENT",
    "TELLERS",
    "attribute_tests",
    "board",
    "cards",
    "harm",
    "keeper",
    "outdoors",
    "puzzles",
    "rounds",
    "setup",
]
