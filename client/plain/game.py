"""
Sentences that a game contributes to plain mode; `game_commands` has the game's commands.

Without them, plain mode still prints question, journal and status of any game.
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
    """Plain mode's part of one game. The functions are called with tables of this game only."""

    pointed_at: Callable[[Speaker, GameTable, Point], Iterable[str]] = _no_lines
    """
    Returns names of the things that a choice points at. A player can type these for the choice.
    """
    status: Callable[[Speaker, GameTable], Iterable[str]] = _no_lines
    """Returns the status of the game, one sentence per line."""
    about_question: Callable[[Speaker, TableView], Iterable[str]] = _no_lines
    """
    Returns lines such as cards before a question, unless the previous question had the same
    subject.
    """
    before_question: Callable[[Speaker, TableView], Iterable[str]] = _no_lines
    """Returns lines before every question, such as the state of a puzzle."""
    repeats_about: Callable[[GameTable], bool] = lambda _: False
    """Returns whether a question repeats its subject, as after dice printed above the question."""
    said: Callable[[JournalLine, Speaker], str] = lambda line, _: line.text
    """
    Returns the spoken form of a journal line, for example of a line in which the journal draws
    dice.
    """


NO_GAME = PlainGame()


@functools.cache
def plain_of(ruleset: str) -> PlainGame:
    """Return plain mode's part of a game; empty if the game has none or is not installed."""
    make = face_of(ruleset).plain
    if make is None:
        return NO_GAME
    found = make()
    assert isinstance(found, PlainGame)
    return found


def plain_at(view: TableView) -> PlainGame:
    return plain_of(view.table.room.ruleset)
