"""Puzzles, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import SecondEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import LockPuzzle

PIECES = "*abcdefghijklmnopqrstuvwxyz"
"""Names of the pieces of a lock. The special piece has the first name."""

one_line(se.AttemptBegan, "attempt_began", lambda e, at: (at.who(e.investigator), e.steps))
one_line(se.StepsAdded, "steps_added", lambda e, _: (e.count,))
one_line(se.CodeLaidOut, "code_laid", lambda e, _: (e.puzzle.length,))
one_line(se.SlideLaidOut, "slide_laid", lambda e, _: (len(e.puzzle.pieces),))
one_line(se.LockLaidOut, "lock_laid", lambda e, _: (len(e.puzzle.pieces),))


@tells(se.CodeGuessed)
def _(event: se.CodeGuessed, at: SecondEditionContext) -> Iterator[Told]:
    guess = event.guess
    pieces = " ".join(at.speaker.text(piece) for piece in guess.pieces)
    key = "code_solved" if event.is_solved else "code_guessed"
    yield Tone.DICE, at.say(key, pieces, guess.successes, guess.investigations)


@tells(se.SlideSwapped)
def _(event: se.SlideSwapped, at: SecondEditionContext) -> Iterator[Told]:
    key = "slide_solved" if event.is_solved else "slide_swapped"
    yield Tone.ACTION, at.say(key, *(place + 1 for place in event.places))


@tells(se.LockSlid)
def _(event: se.LockSlid, at: SecondEditionContext) -> Iterator[Told]:
    puzzle = at.game.puzzles[event.puzzle]
    assert isinstance(puzzle, LockPuzzle)
    ways = ("up", "down") if puzzle.pieces[event.piece].is_upright else ("left", "right")
    way = at.speaker.say(f"way.{ways[event.by > 0]}")
    key = "lock_solved" if event.is_solved else "lock_slid"
    yield Tone.ACTION, at.say(key, PIECES[event.piece], abs(event.by), way)
