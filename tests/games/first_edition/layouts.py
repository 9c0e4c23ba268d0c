"""Layouts of puzzles for tests: four of each family, and the pieces of all of them."""

from collections import Counter

from content.games.first_edition.schema.puzzles import Layout, PieceSupply
from protocol.games.first_edition.puzzles import Family

STRAIGHT, BEND, STUB, BLANK = "x.x.", "xx..", "x...", "...."

CONNECT = (
    Layout("puzzle/snake", Family.CONNECT, 2, 3, (BEND,) * 6, source=1, goal=2),
    Layout("puzzle/pipes", Family.CONNECT, 2, 3, (*(STRAIGHT,) * 3, STUB, STUB, BLANK)),
    Layout("puzzle/stairs", Family.CONNECT, 3, 2, (*(BEND, STRAIGHT) * 2, STUB, BLANK), 1, 3),
    Layout("puzzle/bell", Family.CONNECT, 3, 2, (*(BEND,) * 4, STRAIGHT, STUB), 1, 3),
)
MATCH = (
    Layout("puzzle/tiles", Family.MATCH, 2, 2, ("bdad", "efcd", "abad", "cadb"), least=3),
    Layout(
        "puzzle/window",
        Family.MATCH,
        2,
        3,
        ("abce", "aebb", "aafe", "cffe", "bbcf", "fdcb"),
        least=5,
    ),
    Layout("puzzle/hearth", Family.MATCH, 3, 2, ("dcad", "decc", "aeeb", "cbde", "ebdc", "dacb")),
    Layout("puzzle/frieze", Family.MATCH, 1, 6, ("dbde", "dccb", "abdc", "cacb", "eeea", "dcbe")),
)
ORDER = (
    Layout("puzzle/shelf", Family.ORDER, 1, 5, tuple("abcde")),
    Layout("puzzle/keys", Family.ORDER, 1, 6, tuple("aabbcc")),
    Layout("puzzle/drawers", Family.ORDER, 2, 3, tuple("abcdef")),
    Layout("puzzle/cabinet", Family.ORDER, 3, 2, tuple("abcdef")),
)
LAYOUTS = (*CONNECT, *MATCH, *ORDER)


def supply_for(*layouts: Layout, spare: int = 0) -> PieceSupply:
    """Return a supply with the pieces of these layouts, and some more of each face."""
    counts: dict[Family, Counter[str]] = {family: Counter() for family in Family}
    for layout in layouts:
        counts[layout.family].update(layout.pieces)
    by_name = {
        family.value: {face: count + spare for face, count in counter.items()}
        for family, counter in counts.items()
    }
    return PieceSupply(**by_name)
