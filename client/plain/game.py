"""
Sentences that a game contributes to plain mode; `game_commands` has its commands.

A game that contributes nothing still has what every table has: question, journal, status.
"""

import functools
from collections.abc import Callable, Iterable

import attrs

from client.locale.speaker import Speaker
from client.model.tables import TableView
from client.plugs.face import face_of
from client.tellers.base import JournalLine
from protocol.common.asks import Point
from protocol.common.table import GameTable


def _no_lines(*_: object) -> Iterable[str]:
    return ()


@attrs.frozen(eq=False)
class PlainGame:
    """Plain mode's part of one game. Its functions are called with tables of this game only."""

    pointed_at: Callable[[Speaker, GameTable, Point], Iterable[str]] = _no_lines
    """Names of the things that a choice points at; each can be typed for the choice."""
    status: Callable[[Speaker, GameTable], Iterable[str]] = _no_lines
    """Status of the game, one sentence per line."""
    about_question: Callable[[Speaker, TableView], Iterable[str]] = _no_lines
    """Lines before a question, unless the previous one had the same subject, such as cards."""
    before_question: Callable[[Speaker, TableView], Iterable[str]] = _no_lines
    """Lines before every question, such as the state of a puzzle."""
    repeats_about: Callable[[GameTable], bool] = lambda _: False
    """Whether a question repeats its subject, as after dice that were printed above it."""
    said: Callable[[JournalLine, Speaker], str] = lambda line, _: line.text
    """Spoken form of a journal line, such as one with dice, which the journal draws."""


NO_GAME = PlainGame()


@functools.cache
def plain_of(ruleset: str) -> PlainGame:
    """Return plain mode's part of a game; an empty one if it has none or is not installed."""
    make = face_of(ruleset).plain
    if make is None:
        return NO_GAME
    found = make()
    assert isinstance(found, PlainGame)
    return found


def plain_at(view: TableView) -> PlainGame:
    """Return plain mode's part of a table's game."""
    return plain_of(view.table.room.ruleset)
