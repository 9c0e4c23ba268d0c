"""
The tellers: each kind of event in words.

A teller looks at one event and the table around it, and yields what there is to say about it, if
anything. Nothing that this viewer was not sent can be told: a sealed value has no words.

`room` tells the events that every room has, and there is a module for each chapter of the second
edition's (`protocol.games.second_edition.events`).
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
from client.games.second_edition.tellers.puzzles import PIECES
from client.tellers import room
from client.tellers.base import DICE, TELLERS, Moment, Teller, Told, Tone

__all__ = [
    "DICE",
    "PIECES",
    "TELLERS",
    "Moment",
    "Teller",
    "Told",
    "Tone",
    "board",
    "ending",
    "fire",
    "harm",
    "monsters",
    "possessions",
    "puzzles",
    "room",
    "rounds",
    "skill_tests",
    "story",
]
