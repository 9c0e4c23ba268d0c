"""Lock puzzles."""

import hashlib
from collections import deque
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from content.games.second_edition.schema.effects import Attempt, Say
from content.games.second_edition.schema.puzzles import LEAST_GRID, MOST_GRID, Lock
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.events import Dealt
from protocol.games.second_edition.events import CluesGained, LockLaidOut, LockSlid, Told
from protocol.games.second_edition.table import LockPiece, LockPuzzle, Skill, TokenKind
from server.games.second_edition.rules.puzzles import lock, locksmith
from server.kernel.steps import run_through
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    begin_turn,
    investigator_card,
    proceed,
    world,
)

CLUE, CLOSE = "choice/puzzle_clue", "choice/puzzle_close"
DOOR = """
. a . .
. a . .
* * b .
. . b .
"""
"""The special piece must get past `b`, which has to go up twice."""


def pieces(picture: str) -> tuple[LockPiece, ...]:
    """Return the pieces of a lock drawn cell by cell."""
    cells: dict[str, list[tuple[int, int]]] = {}
    for row, line in enumerate(picture.strip().split("\n")):
        for column, letter in enumerate(line.split()):
            cells.setdefault(letter, []).append((row, column))
    return tuple(
        LockPiece(*cells[letter][0], len(cells[letter]), is_upright=_is_upright(cells[letter]))
        for letter in sorted(cells)
        if letter != "."
    )


def _is_upright(cells: Sequence[tuple[int, int]]) -> bool:
    return cells[0][1] == cells[1][1]


def drawn(puzzle: LockPuzzle) -> str:
    """Return a lock drawn cell by cell."""
    names = {cell: lock.LETTERS[at] for at, p in enumerate(puzzle.pieces) for cell in p.cells()}
    lines = (
        " ".join(names.get((row, column), ".") for column in range(puzzle.columns))
        for row in range(puzzle.rows)
    )
    return "\n".join(["", *lines, ""])


def locked(picture: str = DOOR, *, strength: int = 3, clues: int = 0, **parts: Any) -> Bench:
    bar = Lock("lock/bar", 4, 4, 2)
    attempt = Attempt(bar.id, Skill.STRENGTH, (Say("text/open"),), (Say("text/shut"),))
    token = TokenCard(
        "token/door", TokenKind.INTERACT, "house/a", (TokenOption("text/try", (attempt,)),)
    )
    bench = world(
        tokens=[token],
        investigators=[investigator_card(ADA, strength=strength), investigator_card(BEN)],
        scenario_parts={"locks": (bar,)},
        **parts,
    )
    if picture:
        bench.emit(LockLaidOut(LockPuzzle(bar.id, 4, 4, pieces(picture))))
    if clues:
        bench.emit(CluesGained(ADA, clues))
    return bench


def lies(bench: Bench) -> LockPuzzle:
    puzzle = bench.game_table.puzzles["lock/bar"]
    assert isinstance(puzzle, LockPuzzle)
    return puzzle


def slid(piece: str, way: str, cells: int) -> Any:
    return lambda option: (
        option.text.subject == f"choice/slide_{way}" and option.text.params == (piece, cells)
    )


def offered(bench: Bench) -> list[tuple[object, ...]]:
    """Return the steps that the open question offers: piece, cells, direction."""
    assert bench.open is not None
    return [
        (*option.text.params, option.text.subject.rpartition("_")[2])
        for option in bench.open.prompts[0].options
        if option.text.subject.startswith("choice/slide")
    ]


@pytest.mark.rule("LOCK-3")
@pytest.mark.rule("LOCK-4")
@pytest.mark.rule("LOCK-5")
@pytest.mark.rule("PUZZLE-5")
@pytest.mark.rule("DECIDE-122")
def test_a_step_slides_any_piece_along_itself_as_far_as_the_way_is_free() -> None:
    """Pieces move only along their length, and not through others or over the edge."""
    bench = locked()

    proceed(bench, "text/try", ...)

    assert offered(bench) == [("b", 1, "up"), ("b", 2, "up")]

    bench = locked(". . . .\n. . . .\n* * . a\nb b . a")
    proceed(bench, "text/try", ...)
    assert offered(bench) == [
        ("*", 1, "right"),
        ("a", 1, "up"),
        ("a", 2, "up"),
        ("b", 1, "right"),
    ]


@pytest.mark.rule("DECIDE-122")
def test_several_cells_are_one_step() -> None:
    bench = locked()

    proceed(bench, "text/try", slid("b", "up", 2), ...)

    assert drawn(lies(bench)) == "\n. a b .\n. a b .\n* * . .\n. . . .\n"
    assert bench.game_table.attempt is not None
    assert bench.game_table.attempt.left == 2


@pytest.mark.rule("LOCK-6")
@pytest.mark.rule("PUZZLE-6")
@pytest.mark.rule("PUZZLE-7")
@pytest.mark.rule("PUZZLE-8")
def test_the_lock_is_open_when_the_special_piece_is_at_the_right_edge() -> None:
    bench = locked()

    proceed(bench, "text/try", slid("b", "up", 2), slid("*", "right", 1), slid("*", "right", 1))

    assert [e.is_solved for e in bench.happened(LockSlid)] == [False, False, True]
    assert [e.text.subject for e in bench.happened(Told)] == ["text/open"]


@pytest.mark.rule("LOCK-6")
def test_another_piece_at_the_right_edge_opens_nothing() -> None:
    bench = locked(". . . .\n. . . .\n* * . a\nb b . a", strength=1)

    proceed(bench, "text/try", slid("b", "right", 1))

    assert [e.text.subject for e in bench.happened(Told)] == ["text/shut"]


@pytest.mark.rule("EX-35")
@pytest.mark.rule("LOCK-3")
@pytest.mark.rule("PUZZLE-4")
@pytest.mark.rule("PUZZLE-10")
@pytest.mark.rule("DECIDE-117")
def test_four_slides_for_three_and_a_clue_and_the_next_attempt_begins_there() -> None:
    bench = locked(clues=1, at={ADA: "house/a", BEN: "house/a"})
    four = [slid("b", "up", 1), slid("b", "down", 1), slid("b", "up", 2), slid("b", "down", 1)]

    proceed(bench, "text/try", *four[:3], CLUE, four[3])
    assert drawn(lies(bench)) == "\n. a . .\n. a b .\n* * b .\n. . . .\n"
    assert [e.text.subject for e in bench.happened(Told)] == ["text/shut"]

    proceed(bench, "choice/end_turn")
    begin_turn(bench, BEN)
    proceed(bench, "text/try", slid("b", "up", 1), slid("*", "right", 2))
    assert lies(bench).is_solved
    assert len(bench.happened(LockLaidOut)) == 1


# As hard as asked for ----------------------------------------------------------------------


@pytest.mark.rule("LOCK-1")
@pytest.mark.rule("DECIDE-123")
def test_a_lock_is_made_from_one_number_of_the_deal() -> None:
    one, same, other = locked(""), locked(""), locked("")
    for bench, seed in ((one, 7), (same, 7), (other, 8)):
        bench.give_picks(0, 0, 0, seed)
        proceed(bench, "text/try", CLOSE)

    assert [dealt.choice.value.result for dealt in one.happened(Dealt)] == ["0", "0", "0", "7"]
    assert lies(one) == lies(same)
    assert lies(one) != lies(other)


@pytest.mark.rule("DECIDE-123")
@pytest.mark.parametrize(
    ("made", "picture"),
    [
        ((1, 4, 4, 3), ". a a a\n. b b d\n* * . d\n. c c c"),
        (
            (2, 5, 6, 5),
            ". . * * g b\n. e e f g b\nh h h f g d\n. . c c c d\ni i a a a .",
        ),
        (
            (77, 6, 6, 7),
            ". * * . d k\na a a f d k\nh h h f d j\n. c c . e j\nb b b . e j\n. . i i g g",
        ),
    ],
)
def test_a_lock_of_an_old_game_is_still_the_same(
    made: tuple[int, int, int, int], picture: str
) -> None:
    """Recorded games are verified with today's code that makes locks."""
    _seed, rows, columns, _steps = made

    lock_made = LockPuzzle("lock/any", rows, columns, made_lock(*made))

    assert drawn(lock_made) == f"\n{picture}\n"


@pytest.mark.rule("LOCK-6")
def test_sliding_another_piece_leaves_the_special_one_where_it_is() -> None:
    bench = locked("* * . .\na a . .\n. . . .\n. . . .", strength=1)

    proceed(bench, "text/try", slid("a", "right", 2))

    assert [e.is_solved for e in bench.happened(LockSlid)] == [False]


def shortest(puzzle: LockPuzzle) -> int | None:
    """Return the number of steps that solve a lock, by exhaustive search."""
    found = {puzzle.pieces: 0}
    todo = deque([puzzle.pieces])
    while todo:
        lie = todo.popleft()
        now = LockPuzzle(puzzle.puzzle_id, puzzle.rows, puzzle.columns, lie)
        if lock.is_open(now):
            return found[lie]
        for at, by in lock.slides(now):
            after = (*lie[:at], lie[at].slid(by), *lie[at + 1 :])
            if after not in found:
                found[after] = found[lie] + 1
                todo.append(after)
    return None


SIZES = st.integers(LEAST_GRID, MOST_GRID)


def made_lock(seed: int, rows: int, columns: int, steps: int) -> tuple[LockPiece, ...]:
    """Make a lock in one go."""
    return run_through(locksmith.making_lock(seed, rows, columns, steps))


@pytest.mark.issue(12)
def test_others_are_served_while_a_hard_lock_is_made() -> None:
    """Otherwise everybody on the server would wait a quarter of a second or more."""
    assert sum(1 for _ in locksmith.making_lock(0, 6, 6, 8)) > 10


@pytest.mark.rule("LOCK-1")
@pytest.mark.rule("LOCK-2")
@pytest.mark.rule("LOCK-5")
@pytest.mark.rule("DECIDE-123")
@settings(deadline=None, max_examples=12)
@example(6, 6, 8, 0)
@given(SIZES, SIZES, st.integers(2, 99), st.integers(0, locksmith.SEEDS - 1))
def test_every_lock_can_be_solved_in_as_many_steps_as_asked_for_and_no_fewer(
    rows: int, columns: int, steps: int, seed: int
) -> None:
    asked = Lock("lock/any", rows, columns, steps)
    steps = min(steps, asked.hardest)

    made = made_lock(seed, rows, columns, steps)

    covered = [cell for piece in made for cell in piece.cells()]
    assert len(covered) == len(set(covered))
    assert all(0 <= row < rows and 0 <= column < columns for row, column in covered)
    assert {piece.length for piece in made} <= {2, 3}
    assert not made[0].is_upright
    assert shortest(LockPuzzle("lock/any", rows, columns, made)) == steps


@pytest.mark.rule("DECIDE-123")
@pytest.mark.parametrize("rows", range(LEAST_GRID, MOST_GRID + 1))
@pytest.mark.parametrize("columns", range(LEAST_GRID, MOST_GRID + 1))
def test_the_first_seeds_have_a_lock_of_every_kind_that_can_be_asked_for(
    rows: int, columns: int
) -> None:
    """Every game can have a lock, even if its own seed yields none."""
    for steps in range(2, Lock("lock/any", rows, columns, 2).hardest + 1):
        assert made_lock(0, rows, columns, steps)


def test_seeds_make_the_locks_that_they_always_made() -> None:
    told = hashlib.sha256()
    for rows, columns, steps in ((4, 4, 2), (5, 5, 4)):
        for seed in range(8):
            told.update(repr(made_lock(seed, rows, columns, steps)).encode())

    known = "81d610962ed6cc0032382f0b1cb1540dc2bee0d34c5090766a5612116ed07888"
    assert told.hexdigest() == known
