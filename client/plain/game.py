"""
What a game brings to what plain mode says; `game_commands` has the commands that it brings.

A game that brings nothing is told by what every table has: its question, its journal, its status.
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


def _as_it_stands(line: JournalLine, _: Speaker) -> str:
    return line.text


def _never(_: GameTable) -> bool:
    return False


@attrs.frozen(eq=False)
class PlainGame:
    """One game in lines. Functions are called with tables of this game alone."""

    pointed_at: Callable[[Speaker, GameTable, Point], Iterable[str]] = _no_lines
    """Names of what a choice points at; the choice can be called by each."""
    status: Callable[[Speaker, GameTable], Iterable[str]] = _no_lines
    """How far the game is, a sentence a line."""
    about_question: Callable[[Speaker, TableView], Iterable[str]] = _no_lines
    """What is told before a question unless the last one was about the same, such as cards."""
    before_question: Callable[[Speaker, TableView], Iterable[str]] = _no_lines
    """What is told each time before a question, such as a puzzle as it stands."""
    repeats_about: Callable[[GameTable], bool] = _never
    """Whether a question says again what it is about, as after dice that were printed above it."""
    said: Callable[[JournalLine, Speaker], str] = _as_it_stands
    """A line of the journal as it is said, such as dice, which are drawn there."""


NO_GAME = PlainGame()


@functools.cache
def plain_of(ruleset: str) -> PlainGame:
    """Return what a game brings; nothing for one that brings nothing, or is not installed."""
    make = face_of(ruleset).plain
    if make is None:
        return NO_GAME
    found = make()
    assert isinstance(found, PlainGame)
    return found


def plain_at(view: TableView) -> PlainGame:
    """Return what the game of a table brings."""
    return plain_of(view.table.room.ruleset)
