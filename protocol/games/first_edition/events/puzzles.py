"""Events of puzzles: attempts, and what happens to the pieces."""

from protocol.common.table import Handle
from protocol.event import event
from protocol.games.first_edition.events.base import FirstEditionEvent, Game, without
from protocol.games.first_edition.puzzles import (
    Action,
    Exchange,
    Puzzle,
    PuzzleAttempt,
    Swap,
    Turn,
    after,
    supply_of,
)
from protocol.games.first_edition.table import CardId, InvestigatorId
from protocol.values import evolve


def _acted(table: Game, puzzle: CardId, action: Action, drawn: str = "") -> Game:
    """Return the table after a puzzle action, which is counted."""
    changed = after(table.puzzles[puzzle], action, drawn)
    attempt = table.attempt and evolve(table.attempt, made=table.attempt.made + 1)
    return evolve(table, puzzles={**table.puzzles, puzzle: changed}, attempt=attempt)


@event("fe/puzzle_laid")
class PuzzleLaid(FirstEditionEvent):
    """A puzzle was dealt at the first attempt. K-CARD-18."""

    puzzle: Puzzle

    def fold(self, table: Game) -> Game:
        return evolve(table, puzzles={**table.puzzles, self.puzzle.puzzle_id: self.puzzle})


@event("fe/puzzle_attempt_began")
class PuzzleAttemptBegan(FirstEditionEvent):
    """An investigator tries a puzzle. K-PUZZLE-1, K-PUZZLE-4."""

    investigator: InvestigatorId
    puzzle: CardId
    actions: int | None
    """Number of puzzle actions; None if time limits the attempt instead. K-VAR-1."""

    def fold(self, table: Game) -> Game:
        assert self.puzzle in table.puzzles
        attempt = PuzzleAttempt(self.investigator, self.puzzle, self.actions)
        return evolve(table, attempt=attempt)


@event("fe/puzzle_point_spent")
class PuzzlePointSpent(FirstEditionEvent):
    """A skill point was spent for more puzzle actions. K-PUZZLE-2."""

    investigator: InvestigatorId
    actions: int
    """Number of actions added."""

    def fold(self, table: Game) -> Game:
        attempt = table.attempt
        assert attempt is not None
        if attempt.allowed is not None:
            attempt = evolve(attempt, allowed=attempt.allowed + self.actions, has_point=True)
        points = max(0, table.investigators[self.investigator].skill_points - 1)
        table = table.with_investigator(self.investigator, skill_points=points)
        return evolve(table, attempt=attempt)


@event("fe/puzzle_piece_turned")
class PuzzlePieceTurned(FirstEditionEvent):
    """A piece was turned by 90 degrees. K-DECIDE-43."""

    puzzle: CardId
    cell: int
    by: int
    """1 for clockwise, -1 for counterclockwise."""

    def fold(self, table: Game) -> Game:
        return _acted(table, self.puzzle, Turn(self.cell, self.by))


@event("fe/puzzle_pieces_swapped")
class PuzzlePiecesSwapped(FirstEditionEvent):
    """Two adjacent pieces were swapped. K-DECIDE-43."""

    puzzle: CardId
    cells: tuple[int, int]

    def fold(self, table: Game) -> Game:
        return _acted(table, self.puzzle, Swap(*self.cells))


@event("fe/puzzle_piece_exchanged")
class PuzzlePieceExchanged(FirstEditionEvent):
    """
    A piece was exchanged for the top one of the supply. K-DECIDE-43, K-SECRET-22.

    The piece that lay there is shuffled into the supply next.
    """

    puzzle: CardId
    cell: int
    handle: Handle
    face: str

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the piece with its handle."""
        return ((self.handle, self.face),)

    def fold(self, table: Game) -> Game:
        table = table.drawn(supply_of(table.puzzles[self.puzzle].family), self.handle)
        return _acted(table, self.puzzle, Exchange(self.cell), self.face)


@event("fe/puzzle_solved")
class PuzzleSolved(FirstEditionEvent):
    """A puzzle was solved; its pieces go to the supply. K-PUZZLE-6, K-DECIDE-42."""

    puzzle: CardId

    def fold(self, table: Game) -> Game:
        puzzles = without(table.puzzles, self.puzzle)
        return evolve(table, puzzles=puzzles, solved=(*table.solved, self.puzzle))


@event("fe/puzzle_attempt_ended")
class PuzzleAttemptEnded(FirstEditionEvent):
    """The attempt is over; an unsolved puzzle stays as it is. K-PUZZLE-3."""

    def fold(self, table: Game) -> Game:
        return evolve(table, attempt=None)
