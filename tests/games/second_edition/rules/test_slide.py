"""Slide puzzles."""

import random
from collections import deque
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.games.second_edition.schema.effects import Attempt, Say
from content.games.second_edition.schema.puzzles import Slide
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.chance import Stream
from protocol.common.events import Shuffled
from protocol.event import cut
from protocol.games.second_edition.events import (
    CluesGained,
    CluesSpent,
    SlideLaidOut,
    SlideSwapped,
    Told,
)
from protocol.games.second_edition.table import Skill, SlidePuzzle, TokenKind
from server.games.second_edition.rules.puzzles import slide
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    begin_turn,
    investigator_card,
    proceed,
    refused,
    world,
)
from tests.kernel.twins import blank

FACE = Slide("slide/face", rows=2, columns=3, picture="AAbbCC\nDDeeFF")
"""Six pieces, told apart by their letters."""
CLUE, CLOSE = "choice/puzzle_clue", "choice/puzzle_close"


def broken(
    order: str = "bACDeF",
    *,
    observation: int = 3,
    clues: int = 0,
    puzzle: Slide = FACE,
    **parts: Any,
) -> Bench:
    """Return a bench with a picture whose pieces are in this order."""
    attempt = Attempt(
        puzzle.id, Skill.OBSERVATION, solved=(Say("text/whole"),), unsolved=(Say("text/broken"),)
    )
    frame = TokenCard(
        "token/frame", TokenKind.INTERACT, "house/a", (TokenOption("text/try", (attempt,)),)
    )
    bench = world(
        tokens=[frame],
        investigators=[investigator_card(ADA, observation=observation), investigator_card(BEN)],
        scenario_parts={"slides": (puzzle,)},
        **parts,
    )
    if order:
        bench.give_order(f"puzzle/{puzzle.id}", [str("AbCDeF".index(piece)) for piece in order])
    if clues:
        bench.emit(CluesGained(ADA, clues))
    return bench


def swapped(one: int, other: int) -> Any:
    """Return the answer that swaps the pieces at two places, counted from 1."""
    points = [str(one - 1), str(other - 1)]
    return lambda option: [point.piece for point in option.points] == points


def lies(bench: Bench) -> str:
    """Return the letters of the pieces in their current order."""
    puzzle = bench.game_table.puzzles[FACE.id]
    assert isinstance(puzzle, SlidePuzzle)
    return "".join(piece[0][0] for piece in puzzle.pieces)


@pytest.mark.rule("SLIDE-1")
@pytest.mark.rule("SLIDE-2")
@pytest.mark.rule("PUZZLE-12")
def test_a_picture_lies_in_pieces_in_the_order_of_a_shuffle() -> None:
    """The table has the drawings and their places. The solution stays in a hidden pile."""
    bench = broken("FbCDeA")

    proceed(bench, "text/try", CLOSE)

    (laid,) = bench.happened(SlideLaidOut)
    assert laid.puzzle == SlidePuzzle(
        FACE.id, 3, (("FF",), ("bb",), ("CC",), ("DD",), ("ee",), ("AA",))
    )
    (shuffled,) = [e for e in bench.happened(Shuffled) if e.pile.startswith("puzzle")]
    assert shuffled.order.audience == ()
    assert shuffled.stream is Stream.DEAL


@pytest.mark.rule("SLIDE-3")
@pytest.mark.rule("PUZZLE-5")
def test_a_step_swaps_two_pieces_that_share_an_edge() -> None:
    """Two rows of three have seven pairs: none across a corner or around an end."""
    bench = broken()

    proceed(bench, "text/try", ...)

    assert bench.open is not None
    offered = [
        tuple(int(point.piece) + 1 for point in option.points)
        for option in bench.open.prompts[0].options
        if option.text.subject == "choice/swap"
    ]
    assert offered == [(1, 2), (1, 4), (2, 3), (2, 5), (3, 6), (4, 5), (5, 6)]
    said = [o.text.params for o in bench.open.prompts[0].options if o.points]
    assert said == offered


@pytest.mark.rule("SLIDE-4")
@pytest.mark.rule("PUZZLE-6")
@pytest.mark.rule("PUZZLE-7")
@pytest.mark.rule("PUZZLE-8")
def test_the_picture_is_solved_as_soon_as_every_piece_is_in_its_place() -> None:
    bench = broken("bACDeF")

    proceed(bench, "text/try", swapped(1, 2))

    assert [e.is_solved for e in bench.happened(SlideSwapped)] == [True]
    assert [e.text.subject for e in bench.happened(Told)] == ["text/whole"]
    assert bench.game_table.puzzles[FACE.id].is_solved
    assert bench.game_table.attempt is None


@pytest.mark.rule("EX-35")
@pytest.mark.rule("SLIDE-3")
@pytest.mark.rule("PUZZLE-4")
@pytest.mark.rule("PUZZLE-9")
@pytest.mark.rule("PUZZLE-10")
@pytest.mark.rule("DECIDE-117")
def test_four_swaps_for_three_and_a_clue_and_the_next_attempt_begins_there() -> None:
    bench = broken("FeDCbA", clues=1, at={ADA: "house/a", BEN: "house/a"})
    three = [swapped(1, 2), swapped(2, 3), swapped(4, 5)]

    proceed(bench, "text/try", *three, CLUE, swapped(5, 6))
    assert lies(bench) == "eDFbAC"
    assert bench.happened(CluesSpent) == [CluesSpent(ADA, 1)]
    assert [e.text.subject for e in bench.happened(Told)] == ["text/broken"]

    proceed(bench, "choice/end_turn")
    begin_turn(bench, BEN)
    proceed(bench, "text/try", swapped(1, 4), CLOSE)
    assert lies(bench) == "bDFeAC"
    assert len(bench.happened(SlideLaidOut)) == 1


@pytest.mark.rule("EX-35")
@pytest.mark.rule("PUZZLE-4")
def test_when_the_steps_are_used_up_a_further_one_is_refused() -> None:
    bench = broken("FeDCbA", clues=1)

    proceed(bench, "text/try", swapped(1, 2), swapped(2, 3), swapped(4, 5), ...)

    # What spends nothing comes first, for who is late.
    assert bench.offered() == [CLOSE, CLUE]
    assert refused(bench) == [("choice/puzzle_step", "PUZZLE-4")]


@pytest.mark.rule("PUZZLE-11")
def test_the_table_shows_how_many_steps_were_made() -> None:
    bench = broken("FeDCbA", clues=1)

    proceed(bench, "text/try", CLUE, swapped(1, 2), ...)

    attempt = bench.game_table.attempt
    assert attempt is not None
    assert (attempt.investigator, attempt.allowed, attempt.made, attempt.left) == (ADA, 4, 1, 3)


@pytest.mark.rule("DECIDE-118")
def test_the_others_look_on() -> None:
    bench = broken(at={ADA: "house/a", BEN: "house/a"})

    proceed(bench, "text/try", ...)

    assert bench.open is not None
    assert list(bench.open.prompts) == [0]


# As hard as asked for ----------------------------------------------------------------------


@pytest.mark.rule("DECIDE-121")
def test_a_solved_order_is_mixed_again() -> None:
    bench = broken("AbCDeF")
    bench.give_order(f"puzzle/{FACE.id}", "102345")

    proceed(bench, "text/try", CLOSE)

    assert lies(bench) == "bACDeF"


@st.composite
def slides(draw: st.DrawFn) -> Slide:
    """Draw any slide puzzle that a scenario can have."""
    rows, columns = draw(
        st.tuples(st.integers(1, 6), st.integers(1, 6)).filter(lambda size: size[0] * size[1] > 5)
    )
    letters = [chr(ord("!") + at) for at in range(rows * columns)]
    lines = ["".join(letters[row * columns :][:columns]) for row in range(rows)]
    made = Slide("slide/any", rows, columns, "\n".join(lines))
    return attrs.evolve(made, least=draw(st.integers(1, made.hardest)))


@pytest.mark.rule("SLIDE-1")
@pytest.mark.rule("SLIDE-2")
@pytest.mark.rule("DECIDE-121")
@settings(deadline=None, max_examples=40)
@given(slides(), st.randoms(use_true_random=False))
def test_every_picture_begins_unsolved_and_as_hard_as_asked_for(
    puzzle: Slide, chance: random.Random
) -> None:
    bench = broken("", puzzle=puzzle)
    for _ in range(slide.TRIES):
        order = [str(piece) for piece in range(puzzle.rows * puzzle.columns)]
        chance.shuffle(order)
        bench.give_order(f"puzzle/{puzzle.id}", order)

    proceed(bench, "text/try", CLOSE)

    laid = bench.game_table.puzzles[puzzle.id]
    assert isinstance(laid, SlidePuzzle)
    assert not laid.is_solved
    assert sorted(laid.pieces) == sorted(puzzle.cut())
    lie = [puzzle.cut().index(piece) for piece in laid.pieces]
    assert lie != sorted(lie)
    assert slide.fewest_steps(lie, puzzle.columns) >= puzzle.least


def _distances(rows: int, columns: int) -> dict[tuple[int, ...], int]:
    """Return the number of swaps each order needs, by exhaustive search."""
    home = tuple(range(rows * columns))
    found = {home: 0}
    todo = deque([home])
    while todo:
        order = todo.popleft()
        for one, other in slide.neighbours(len(home), columns):
            after = list(order)
            after[one], after[other] = after[other], after[one]
            if (key := tuple(after)) not in found:
                found[key] = found[order] + 1
                todo.append(key)
    return found


@pytest.mark.rule("SLIDE-2")
@pytest.mark.rule("SLIDE-3")
@pytest.mark.rule("SLIDE-4")
@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 2), (1, 6)])
def test_every_order_of_six_pieces_can_be_solved_and_takes_no_less_than_is_said(
    rows: int, columns: int
) -> None:
    """Swaps of neighbours reach all 720 orders, whatever chance deals."""
    found = _distances(rows, columns)

    assert len(found) == 720
    for order, steps in found.items():
        assert slide.fewest_steps(order, columns) <= steps
        assert isinstance(slide.fewest_steps(order, columns), int)


# Secrets -----------------------------------------------------------------------------------


@pytest.mark.rule("SLIDE-2")
def test_twin_pictures_that_lie_alike_are_sent_alike_until_one_is_solved() -> None:
    """Two pictures of the same pieces are mixed so that the pieces look the same.

    No byte sent to anybody tells which of the two it is.
    """
    twin = attrs.evolve(FACE, picture="CCbbAA\nDDeeFF")
    first = broken("bACDeF")
    second = broken("bCADeF", puzzle=twin)
    steps = [swapped(4, 5), swapped(5, 6), swapped(3, 6)]

    for bench in (first, second):
        proceed(bench, "text/try", *steps)

    assert _sent(first) == _sent(second)
    assert not first.happened(SlideSwapped)[-1].is_solved


def _sent(bench: Bench) -> list[object]:
    """Return the messages to seat 0, without commitments."""
    return [
        (blank(view.public), view.openings) for view in (cut(stored, 0) for stored in bench.stored)
    ]
