"""
Checks of puzzles, beyond their types: every deal of a layout can be solved.

Turns bring each piece into each of its directions, and swaps of neighbours bring the pieces into
each order, since any two cells of a grid are joined by neighbours. So from one deal every other
is reached, and either all of them can be solved without an exchange or none. One search decides.
"""

import functools
from collections import Counter
from collections.abc import Iterable, Iterator

from content.games.first_edition.checks.registry import checks
from content.games.first_edition.schema.puzzles import Face, Layout, PieceSupply
from content.reading.sheet import Complaint
from protocol.common.chance import SeededChance
from protocol.games.first_edition.puzzles import (
    BLANK,
    LINE,
    MOST_PIECES,
    Family,
    Piece,
    Puzzle,
    solution,
)

SAMPLE = 16
"""Number of deals by which a layout is judged."""
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_HOW = {
    Family.CONNECT: f"write {LINE} or {BLANK} for each side, clockwise from the upper one",
    Family.MATCH: "write a letter for each side, clockwise from the upper one",
    Family.ORDER: "write one letter",
}


@checks(PieceSupply)
def _supply(supply: PieceSupply, fault: Complaint) -> None:
    """Report faces that no piece of their family has."""
    for family in Family:
        for face in supply.of(family):
            if not is_face(family, face):
                fault(family.value, f"{face!r} is no piece of this family: {_HOW[family]}")


@checks(Layout)
def _layout(layout: Layout, fault: Complaint) -> None:
    """Report what keeps a layout from being dealt, solved, or worth an attempt."""
    if layout.rows * layout.columns > MOST_PIECES:
        fault("rows", f"a puzzle has at most {MOST_PIECES} pieces")
        return
    if len(layout.pieces) != layout.rows * layout.columns:
        fault("pieces", f"write one piece for each of the {layout.rows * layout.columns} cells")
        return
    if max(layout.source, layout.goal) > layout.rows:
        which = "source" if layout.source > layout.rows else "goal"
        fault(which, f"this grid has {layout.rows} rows")
        return
    wrong = [face for face in layout.pieces if not is_face(layout.family, face)]
    if wrong:
        fault("pieces", f"{wrong[0]!r} is no piece of this family: {_HOW[layout.family]}")
        return
    if solution(layout.dealt(tuple(map(Piece, layout.pieces)))) is None:
        fault("pieces", "these pieces solve the puzzle in no order and direction")
        return
    # Deals that take fewer actions are dealt again, which must not happen often.
    if usual_actions(layout)[SAMPLE * 3 // 4] < layout.least:
        fault("least", "three of four deals of these pieces take fewer actions; ask for less")


def is_face(family: Family, face: Face) -> bool:
    """Return True if a text is the face of a piece of this family."""
    if family is Family.CONNECT:
        return len(face) == 4 and set(face) <= {LINE, BLANK}
    return len(face) == (4 if family is Family.MATCH else 1) and set(face) <= _LETTERS


def deals(layout: Layout, count: int) -> Iterator[Puzzle]:
    """Yield some deals of a layout, the same in every run."""
    chance = SeededChance(layout.id.encode())
    return (layout.deal(chance, number) for number in range(count))


@functools.lru_cache(maxsize=256)
def usual_actions(layout: Layout) -> tuple[int, ...]:
    """Return the fewest actions that solve each of some deals, ascending."""
    solved = (solution(puzzle) for puzzle in deals(layout, SAMPLE))
    return tuple(sorted(found.actions for found in solved if found is not None))


def missing_pieces(
    layouts: Iterable[Layout], supply: PieceSupply
) -> Iterator[tuple[Family, Face, int]]:
    """
    Yield the pieces that a supply lacks if all these puzzles are open, with their numbers.

    K-DECIDE-10. A story may have all its puzzles on the table, so with a supply that lacks nothing
    each of them can be dealt.
    """
    needed: Counter[tuple[Family, Face]] = Counter(
        (layout.family, face) for layout in layouts for face in layout.pieces
    )
    for (family, face), count in sorted(needed.items(), key=lambda item: item[0][1]):
        lacking = count - supply.of(family).get(face, 0)
        if lacking > 0:
            yield family, face, lacking
