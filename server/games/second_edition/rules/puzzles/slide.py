"""
Slide puzzles: pieces of a picture are put in order by swapping neighbours.

Rules SLIDE-1 to SLIDE-4 and DECIDE-121. No player sees where a piece belongs: a hidden pile decides
the order, and only the drawings of the pieces are on the table.
"""

from collections.abc import Iterator, Sequence

from content.games.second_edition.schema.puzzles import Slide
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.second_edition.events import SlideLaidOut, SlideSwapped
from protocol.games.second_edition.table import InvestigatorId, SlidePuzzle
from server.games.second_edition.rules.draws import stream_of_puzzles
from server.games.second_edition.rules.play import Play
from server.games.second_edition.rules.puzzles.attempt import KINDS, Perform
from server.kernel.asks import Option

TRIES = 20
"""
Number of random orders tried; if none is far enough from solved, the farthest possible order is
used.
"""


async def lay_out(play: Play, slide: Slide) -> None:
    """
    Lay the pieces out at random, not solved. Rules SLIDE-2 and DECIDE-121.

    All orders that need the scenario's number of steps or more, by `fewest_steps`, are equally
    likely. In a fixed setup the order is fixed, too.
    """
    pieces = slide.cut()
    drawings = tuple(pieces[home] for home in random_order(play, slide))
    play.emit(SlideLaidOut(SlidePuzzle(slide.id, slide.columns, drawings)))


def random_order(play: Play, slide: Slide) -> tuple[int, ...]:
    """Return a random order of the pieces: the piece at each place, row by row."""
    count = slide.rows * slide.columns
    pile = f"puzzle/{slide.id}"
    for _ in range(TRIES):
        play.shuffle(pile, [str(home) for home in range(count)], stream_of_puzzles(play))
        table = play.table
        order = tuple(int(table.card_of(handle)) for handle in table.piles[pile])
        if fewest_steps(order, slide.columns) >= slide.least:
            return order
    return tuple(reversed(range(count)))


def fewest_steps(order: Sequence[int], columns: int) -> int:
    """
    Return a lower bound on the number of steps to the solution.

    A swap brings each of its two pieces at most one place nearer to its goal.
    """
    away = 0
    for place, home in enumerate(order):
        rows, across = place // columns - home // columns, place % columns - home % columns
        away += abs(rows) + abs(across)
    return -(-away // 2)


def neighbours(count: int, columns: int) -> Iterator[tuple[int, int]]:
    """Yield each pair of places that share an edge, once. Rule SLIDE-3."""
    for place in range(count):
        if (place + 1) % columns:
            yield place, place + 1
        if place + columns < count:
            yield place, place + columns


def _steps(play: Play, slide: Slide) -> list[Option[Perform]]:
    """Return every swap of two neighbours, named by the numbers of their places from 1."""
    return [
        Option(
            _swapping(slide, places),
            Text("choice/swap", tuple(place + 1 for place in places)),
            tuple(Point("piece", str(place)) for place in places),
            "move",
        )
        for places in neighbours(len(play.table.puzzles[slide.id].pieces), slide.columns)
    ]


def _swapping(slide: Slide, places: tuple[int, int]) -> Perform:
    async def swap(play: Play, _investigator: InvestigatorId) -> None:
        """Swap the places of the chosen option; the right order solves it. SLIDE-3, SLIDE-4."""
        puzzle = play.table.puzzles[slide.id]
        assert isinstance(puzzle, SlidePuzzle)
        one, other = places
        lie = list(puzzle.pieces)
        lie[one], lie[other] = lie[other], lie[one]
        play.emit(SlideSwapped(slide.id, places, tuple(lie) == slide.cut()))

    return swap


KINDS.declare(Slide, "slide", lay_out, _steps)
