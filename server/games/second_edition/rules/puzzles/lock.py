"""
Lock puzzles: pieces slide in a grid until the special one reaches the right edge.

Rules LOCK-1 to LOCK-6, DECIDE-122 and DECIDE-123. The whole grid is public; the players have to
find the solution.
"""

from collections.abc import Iterator

from content.games.second_edition.schema.puzzles import Lock
from protocol.common.asks import Point
from protocol.common.chance import Stream
from protocol.common.text import Text
from protocol.games.second_edition.events import LockLaidOut, LockSlid
from protocol.games.second_edition.table import InvestigatorId, LockPuzzle
from protocol.values import evolve
from server.games.second_edition.rules.play import Play
from server.games.second_edition.rules.puzzles.attempt import KINDS, Perform
from server.games.second_edition.rules.puzzles.locksmith import SEEDS, making_lock
from server.kernel.asks import Option

LETTERS = "*abcdefghijklmnopqrstuvwxyz"
"""Names of the pieces, the special one first; a grid has room for no more pieces."""


async def lay_out(play: Play, lock: Lock) -> None:
    """
    Lay out a lock with a given number of steps to its solution. Rule DECIDE-123.

    One random number determines the lock; a fixed setup fixes the number.
    """
    purpose = f"puzzle {lock.id}"
    if play.version == 1:
        seed = play.pick(purpose, range(SEEDS), Stream.SETUP)
    else:
        # Four deals of a byte: a deal lists its possible values, which are 2**32 for the number.
        seed = int.from_bytes(bytes(play.deal(purpose, range(256)) for _ in range(4)), "big")
    await play.pause()
    pieces = await play.through(making_lock(seed, lock.rows, lock.columns, lock.steps))
    play.emit(LockLaidOut(LockPuzzle(lock.id, lock.rows, lock.columns, pieces)))


def slides(lock: LockPuzzle) -> Iterator[tuple[int, int]]:
    """
    Yield every step: a piece and the number of cells that it slides. LOCK-3 to LOCK-5.

    Any distance in one direction is one step (DECIDE-122).
    """
    taken = {cell for piece in lock.pieces for cell in piece.cells()}
    for at, piece in enumerate(lock.pieces):
        others = taken.difference(piece.cells())
        for way in (-1, 1):
            by = way
            while all(
                0 <= row < lock.rows and 0 <= column < lock.columns and (row, column) not in others
                for row, column in piece.slid(by).cells()
            ):
                yield at, by
                by += way


def is_open(lock: LockPuzzle) -> bool:
    """Return True if the special piece has reached the right edge. Rule LOCK-6."""
    special = lock.pieces[0]
    return special.column + special.length == lock.columns


def _laid(play: Play, lock: Lock) -> LockPuzzle:
    puzzle = play.table.puzzles[lock.id]
    assert isinstance(puzzle, LockPuzzle)
    return puzzle


def _steps(play: Play, lock: Lock) -> list[Option[Perform]]:
    puzzle = _laid(play, lock)
    return [
        Option(
            _sliding(lock, at, by),
            Text(f"choice/slide_{_way(puzzle, at, by)}", (LETTERS[at], abs(by))),
            (Point("piece", str(at)),),
            "move",
        )
        for at, by in slides(puzzle)
    ]


def _way(puzzle: LockPuzzle, at: int, by: int) -> str:
    if puzzle.pieces[at].is_upright:
        return "down" if by > 0 else "up"
    return "right" if by > 0 else "left"


def _sliding(lock: Lock, at: int, by: int) -> Perform:
    async def slide(play: Play, _investigator: InvestigatorId) -> None:
        """
        Slide the piece of the chosen option. Rules LOCK-3 and LOCK-6.

        The lock opens once the special piece is at the right edge.
        """
        puzzle = _laid(play, lock)
        pieces = tuple(
            piece.slid(by) if number == at else piece for number, piece in enumerate(puzzle.pieces)
        )
        opened = is_open(evolve(puzzle, pieces=pieces))
        play.emit(LockSlid(lock.id, at, by, opened))

    return slide


KINDS.declare(Lock, "lock", lay_out, _steps)
