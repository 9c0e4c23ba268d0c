"""Events of puzzles: attempts, and the steps of each type of puzzle."""

from typing import Any

from protocol.event import event
from protocol.games.second_edition.events.base import Game, SecondEditionEvent, with_entry
from protocol.games.second_edition.table import (
    CodePuzzle,
    Guess,
    InvestigatorId,
    LockPuzzle,
    PuzzleAttempt,
    SlidePuzzle,
)
from protocol.values import evolve


def _with_puzzle(table: Game, puzzle: str, **changes: Any) -> Game:
    """Return the table with one puzzle changed by a puzzle step, and the step counted."""
    changed = evolve(table.puzzles[puzzle], **changes)
    attempt = table.attempt and evolve(table.attempt, made=table.attempt.made + 1)
    return evolve(table, puzzles=with_entry(table.puzzles, puzzle, changed), attempt=attempt)


@event("se/attempt_began")
class AttemptBegan(SecondEditionEvent):
    """An investigator began an attempt at a puzzle. Rules PUZZLE-1 and PUZZLE-2."""

    investigator: InvestigatorId
    puzzle: str
    steps: int

    def fold(self, table: Game) -> Game:
        assert self.puzzle in table.puzzles
        attempt = PuzzleAttempt(self.investigator, self.puzzle, self.steps)
        return evolve(table, attempt=attempt)


@event("se/steps_added")
class StepsAdded(SecondEditionEvent):
    """The current attempt at a puzzle gained further steps. Rule PUZZLE-3."""

    count: int

    def fold(self, table: Game) -> Game:
        assert table.attempt is not None
        allowed = table.attempt.allowed + self.count
        return evolve(table, attempt=evolve(table.attempt, allowed=allowed))


@event("se/attempt_ended")
class AttemptEnded(SecondEditionEvent):
    """The current attempt is over: the puzzle is solved, or was left. PUZZLE-6, PUZZLE-9."""

    def fold(self, table: Game) -> Game:
        """Close the attempt; the puzzle stays as it is (PUZZLE-10)."""
        return evolve(table, attempt=None)


@event("se/code_laid_out")
class CodeLaidOut(SecondEditionEvent):
    """A code puzzle was laid out. Its code is dealt from hidden piles. Rules CODE-1 to CODE-3."""

    puzzle: CodePuzzle

    def fold(self, table: Game) -> Game:
        return evolve(table, puzzles=with_entry(table.puzzles, self.puzzle.puzzle_id, self.puzzle))


@event("se/code_guessed")
class CodeGuessed(SecondEditionEvent):
    """A code was guessed and the answer given. Rules CODE-5 to CODE-9 and DECIDE-120."""

    puzzle: str
    guess: Guess
    is_solved: bool

    def fold(self, table: Game) -> Game:
        puzzle = table.puzzles[self.puzzle]
        assert isinstance(puzzle, CodePuzzle)
        guesses = (*puzzle.guesses, self.guess)
        return _with_puzzle(table, self.puzzle, guesses=guesses, is_solved=self.is_solved)


@event("se/slide_laid_out")
class SlideLaidOut(SecondEditionEvent):
    """A shuffled slide puzzle was laid out. Rules SLIDE-1, SLIDE-2 and DECIDE-121."""

    puzzle: SlidePuzzle

    def fold(self, table: Game) -> Game:
        return evolve(table, puzzles=with_entry(table.puzzles, self.puzzle.puzzle_id, self.puzzle))


@event("se/slide_swapped")
class SlideSwapped(SecondEditionEvent):
    """Two pieces of a picture were swapped. Rules SLIDE-3 and SLIDE-4."""

    puzzle: str
    places: tuple[int, int]
    """Indexes of the pieces, row by row, from 0."""
    is_solved: bool

    def fold(self, table: Game) -> Game:
        puzzle = table.puzzles[self.puzzle]
        assert isinstance(puzzle, SlidePuzzle)
        one, other = self.places
        pieces = list(puzzle.pieces)
        pieces[one], pieces[other] = pieces[other], pieces[one]
        return _with_puzzle(table, self.puzzle, pieces=tuple(pieces), is_solved=self.is_solved)


@event("se/lock_laid_out")
class LockLaidOut(SecondEditionEvent):
    """A lock puzzle was laid out. Rules LOCK-1, LOCK-2 and DECIDE-123."""

    puzzle: LockPuzzle

    def fold(self, table: Game) -> Game:
        return evolve(table, puzzles=with_entry(table.puzzles, self.puzzle.puzzle_id, self.puzzle))


@event("se/lock_slid")
class LockSlid(SecondEditionEvent):
    """A piece of a lock was slid. Rules LOCK-3 to LOCK-6 and DECIDE-122."""

    puzzle: str
    piece: int
    by: int
    """Cells to the right or down; negative for left or up."""
    is_solved: bool

    def fold(self, table: Game) -> Game:
        puzzle = table.puzzles[self.puzzle]
        assert isinstance(puzzle, LockPuzzle)
        pieces = list(puzzle.pieces)
        pieces[self.piece] = pieces[self.piece].slid(self.by)
        return _with_puzzle(table, self.puzzle, pieces=tuple(pieces), is_solved=self.is_solved)
