"""Puzzles, in words."""

from collections.abc import Iterator

from client.games.first_edition.tellers.base import FirstEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.first_edition import events as fe

one_line(fe.PuzzleLaid, "puzzle_laid", lambda e, at: (at.card(e.puzzle.puzzle_id),))
one_line(fe.PuzzlePieceTurned, "puzzle_turned", lambda e, _: (e.cell + 1,))
one_line(fe.PuzzlePiecesSwapped, "puzzle_swapped", lambda e, _: tuple(c + 1 for c in e.cells))
one_line(fe.PuzzlePieceExchanged, "puzzle_exchanged", lambda e, _: (e.cell + 1,))
one_line(fe.PuzzleSolved, "puzzle_solved", lambda e, at: (at.card(e.puzzle),), Tone.STEP)


@tells(fe.PuzzleAttemptBegan)
def _(event: fe.PuzzleAttemptBegan, at: FirstEditionContext) -> Iterator[Told]:
    who, puzzle = at.who(event.investigator), at.card(event.puzzle)
    if event.actions is None:
        yield Tone.ACTION, at.say("attempt_timed", who, puzzle)
    else:
        yield Tone.ACTION, at.say("attempt", who, puzzle, event.actions)


@tells(fe.PuzzlePointSpent)
def _(event: fe.PuzzlePointSpent, at: FirstEditionContext) -> Iterator[Told]:
    left = at.game.investigators[event.investigator].skill_points
    yield Tone.ACTION, at.say("puzzle_point", at.who(event.investigator), event.actions, left)
