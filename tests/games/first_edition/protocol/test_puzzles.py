"""Puzzles: their actions, when they are solved, and the shortest way there."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from protocol.errors import ImpossibleValue
from protocol.games.first_edition.puzzles import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Exchange,
    Family,
    Piece,
    Puzzle,
    Swap,
    Turn,
    after,
    legal_actions,
    next_action,
    solution,
)

SIZES = ((1, 2), (1, 3), (2, 1), (3, 1), (2, 2))
LETTERS = {Family.CONNECT: ".x", Family.MATCH: "abc", Family.ORDER: "abcd"}


def laid(
    family: Family, rows: int, columns: int, *faces: str, source: int = 0, goal: int = 0
) -> Puzzle:
    """Return a puzzle whose pieces are not turned."""
    pieces = tuple(map(Piece, faces))
    return Puzzle("puzzle/p", family, rows, columns, pieces, source, goal)


@st.composite
def puzzles(draw: st.DrawFn, family: Family | None = None) -> Puzzle:
    """Draw a small puzzle, which may have no solution."""
    family = family or draw(st.sampled_from(Family))
    rows, columns = draw(st.sampled_from(SIZES))
    count = rows * columns
    size = 1 if family is Family.ORDER else 4
    faces = st.text(LETTERS[family], min_size=size, max_size=size)
    turns = st.just(0) if family is Family.ORDER else st.integers(0, 3)
    pieces = draw(st.lists(st.builds(Piece, faces, turns), min_size=count, max_size=count))
    ends = st.integers(0, rows - 1)
    return Puzzle("puzzle/p", family, rows, columns, tuple(pieces), draw(ends), draw(ends))


def look(puzzle: Puzzle) -> tuple[tuple[str, ...], ...]:
    """Return what can be seen of a puzzle."""
    return tuple(piece.sides for piece in puzzle.pieces)


def by_trying(puzzle: Puzzle) -> int | None:
    """Return the least number of turns and swaps that solve a puzzle, by trying all."""
    seen, layer, count = {look(puzzle)}, [puzzle], 0
    while layer:
        if any(one.is_solved for one in layer):
            return count
        further = []
        for one in layer:
            for action in legal_actions(one, 0):
                other = after(one, action)
                if look(other) not in seen:
                    seen.add(look(other))
                    further.append(other)
        layer, count = further, count + 1
    return None


def is_wet(puzzle: Puzzle) -> bool:
    """Return whether water from the source runs along the lines to the goal."""
    begin, end = (puzzle.source, 0, WEST), (puzzle.goal, puzzle.columns - 1, EAST)
    steps = {NORTH: (-1, 0), EAST: (0, 1), SOUTH: (1, 0), WEST: (0, -1)}

    def is_open(row: int, column: int, side: int) -> bool:
        is_inside = 0 <= row < puzzle.rows and 0 <= column < puzzle.columns
        return is_inside and puzzle.pieces[row * puzzle.columns + column].sides[side] == "x"

    if not (is_open(*begin) and is_open(*end)):
        return False
    wet, todo = {begin[:2]}, [begin[:2]]
    while todo:
        row, column = todo.pop()
        for side, (down, right) in steps.items():
            other = (row + down, column + right)
            if is_open(row, column, side) and is_open(*other, (side + 2) % 4) and other not in wet:
                wet.add(other)
                todo.append(other)
    return end[:2] in wet


@pytest.mark.rule("K-DECIDE-43")
def test_a_turned_piece_shows_its_sides_clockwise() -> None:
    """After a quarter turn clockwise the left side is above."""
    assert Piece("abcd").turned(1).sides == ("d", "a", "b", "c")
    assert Piece("abcd").turned(-1).sides == ("b", "c", "d", "a")
    assert Piece("abcd", 3).turned(1) == Piece("abcd")


@pytest.mark.rule("K-DECIDE-43")
@pytest.mark.parametrize(
    ("faces", "source", "goal", "is_solved"),
    [
        ((".x.x", ".x.x", "...x", "...."), 0, 0, True),
        ((".x.x", ".x..", "....", "...."), 0, 0, False),
        (("..xx", "....", "xx..", ".x.x"), 0, 1, True),
        (("..xx", "....", "xx..", ".x.x"), 0, 0, False),
        (("..xx", ".xx.", "xx..", "x..x"), 0, 0, True),
        (("..xx", "....", ".x..", ".x.x"), 0, 1, False),
    ],
)
def test_lines_join_the_source_to_the_goal(
    faces: Sequence[str], source: int, goal: int, is_solved: bool
) -> None:
    """The line may take any way, and pieces beside it do not matter."""
    puzzle = laid(Family.CONNECT, 2, 2, *faces, source=source, goal=goal)
    assert puzzle.is_solved is is_solved


@given(puzzles(Family.CONNECT))
def test_connected_is_where_water_would_run(puzzle: Puzzle) -> None:
    """Branches, loops and loose ends do not matter."""
    assert puzzle.is_solved is is_wet(puzzle)


@pytest.mark.rule("K-DECIDE-43")
def test_touching_sides_must_carry_the_same_symbol() -> None:
    """Sides at the edge of the grid do not matter."""
    good = laid(Family.MATCH, 2, 2, "qpaq", "rrcp", "azqq", "crrz")
    assert good.is_solved
    assert not after(good, Turn(0, 1)).is_solved


@pytest.mark.rule("K-DECIDE-43")
def test_letters_must_ascend_row_by_row() -> None:
    """Equal letters may follow each other."""
    assert laid(Family.ORDER, 2, 2, "a", "b", "b", "c").is_solved
    assert not laid(Family.ORDER, 2, 2, "b", "a", "b", "c").is_solved


@pytest.mark.rule("K-DECIDE-43")
def test_neighbours_below_and_beside_each_other_can_be_swapped() -> None:
    """No swap goes across a corner, or from the end of a row to the next one."""
    puzzle = laid(Family.ORDER, 2, 2, "d", "c", "b", "a")
    swaps = (Swap(0, 1), Swap(0, 2), Swap(1, 3), Swap(2, 3))
    assert legal_actions(puzzle, 0) == swaps
    assert look(after(puzzle, Swap(1, 3))) == look(laid(Family.ORDER, 2, 2, "d", "a", "b", "c"))


@pytest.mark.rule("K-DECIDE-43")
def test_any_piece_can_be_exchanged_for_one_of_the_supply() -> None:
    """The drawn piece lies as it comes, not turned."""
    puzzle = after(laid(Family.MATCH, 1, 2, "abab", "cccc"), Turn(0, 1))
    assert [*legal_actions(puzzle, 3)][-2:] == [Exchange(0), Exchange(1)]
    assert after(puzzle, Exchange(0), "dddc").pieces == (Piece("dddc"), Piece("cccc"))


@pytest.mark.rule("K-PUZZLE-5")
def test_with_an_empty_supply_nothing_can_be_exchanged() -> None:
    """Turns and swaps stay."""
    puzzle = laid(Family.MATCH, 1, 2, "abab", "cccc")
    found = legal_actions(puzzle, 0)
    assert found == (Turn(0, 1), Swap(0, 1))


@given(puzzles())
def test_each_turn_and_swap_changes_what_is_seen(puzzle: Puzzle) -> None:
    """No action is offered that costs something and does nothing, and no two that do the same."""
    results = [look(after(puzzle, action)) for action in legal_actions(puzzle, 0)]
    assert look(puzzle) not in results
    turned = [look(after(puzzle, a)) for a in legal_actions(puzzle, 0) if isinstance(a, Turn)]
    assert len(set(turned)) == len(turned)


@given(puzzles())
def test_a_solved_puzzle_has_no_actions(puzzle: Puzzle) -> None:
    """Any other has one, unless no action would change it."""
    if puzzle.is_solved:
        assert legal_actions(puzzle, 9) == ()
    else:
        assert any(isinstance(action, Exchange) for action in legal_actions(puzzle, 9))


@settings(max_examples=60, deadline=None)
@given(puzzles())
def test_the_solution_is_as_short_as_any(puzzle: Puzzle) -> None:
    """Where there is none, trying everything finds none either."""
    found = solution(puzzle)
    assert (None if found is None else found.actions) == by_trying(puzzle)


@settings(max_examples=60, deadline=None)
@given(puzzles())
def test_following_the_next_actions_solves_a_puzzle(puzzle: Puzzle) -> None:
    """It takes as many actions as the solution has, and each of them is legal."""
    found = solution(puzzle)
    assume(found is not None)
    assert found is not None
    for _ in range(found.actions):
        action = next_action(puzzle)
        assert action in legal_actions(puzzle, 0)
        assert action is not None
        puzzle = after(puzzle, action)
    assert puzzle.is_solved
    assert next_action(puzzle) is None


@pytest.mark.parametrize(("rows", "columns", "count"), [(2, 2, 3), (0, 0, 0), (1, 7, 7)])
def test_a_grid_is_full_and_small(rows: int, columns: int, count: int) -> None:
    """A puzzle that nobody could search is refused where it is read."""
    with pytest.raises(ImpossibleValue):
        laid(Family.ORDER, rows, columns, *"abcdefgh"[:count])
    with pytest.raises(ImpossibleValue):
        Piece("")
