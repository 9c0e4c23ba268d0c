"""Layouts of puzzles: each deal of them can be solved, and what is wrong is told."""

import itertools
import time
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.games.first_edition.checks.puzzles import deals, missing_pieces, usual_actions
from content.games.first_edition.reader_schema import READERS
from content.games.first_edition.references import KINDS
from content.games.first_edition.schema.puzzles import Layout, PieceSupply
from content.reading.sheet import Sheet
from content.reading.yaml_subset import read_yaml
from protocol.games.first_edition.puzzles import Family, Piece, legal_actions, solution
from tests.games.first_edition.content.packs import FILES, HOUSE, load, mistakes_in, worded
from tests.games.first_edition.house import manor
from tests.games.first_edition.layouts import CONNECT, LAYOUTS, MATCH, ORDER, supply_for

SNAKE = """\
id: puzzle/snake
family: connect
rows: 2
columns: 3
pieces: [xx.., xx.., xx.., xx.., xx.., xx..]
source: 1
goal: 2
"""


def read(text: str, cls: type = Layout) -> tuple[Any, list[tuple[str, str]]]:
    """Return an object read from YAML, and the mistakes in it, each with its key."""
    node, errors = read_yaml("puzzles.yaml", text.encode())
    assert node is not None
    assert not errors
    sheet = Sheet(KINDS, file="puzzles.yaml")
    found = READERS.of(cls)(node, sheet)
    return found, [(error.key, error.reason) for error in sheet.errors]


def yaml_of(layout: Layout) -> str:
    """Return a layout as authors write it."""
    lines = {**attrs.asdict(layout), "family": layout.family.value, "pieces": [*layout.pieces]}
    return "".join(f"{key}: {value}\n" for key, value in lines.items())


@pytest.mark.rule("K-CARD-18")
@pytest.mark.parametrize("layout", LAYOUTS, ids=[layout.id for layout in LAYOUTS])
def test_a_layout_takes_an_attempt_or_two(layout: Layout) -> None:
    """Each deal can be solved; most take more than intellect 4 gives, or all of it."""
    assert read(yaml_of(layout)) == (layout, [])
    actions = [count for count in usual_actions(layout) if count >= layout.least]
    assert 4 <= actions[len(actions) // 2] <= 8
    assert actions[-1] <= 14


@pytest.mark.rule("K-CARD-18")
def test_a_layout_is_read_as_authors_write_it() -> None:
    """Rows are counted from 1 there, and from 0 in a puzzle."""
    layout, mistakes = read(SNAKE)
    assert (layout, mistakes) == (CONNECT[0], [])
    puzzle = layout.dealt(tuple(map(Piece, layout.pieces)))
    assert (puzzle.source, puzzle.goal) == (0, 1)


def test_a_supply_names_pieces_of_each_family() -> None:
    """A face of another family is a mistake."""
    found, mistakes = read("connect: {xx..: 9}\norder: {a: 2}\n", PieceSupply)
    assert (found, mistakes) == (PieceSupply({"xx..": 9}, {}, {"a": 2}), [])
    assert [key for key, _ in read("match: {xx..: 9}\n", PieceSupply)[1]] == ["match"]


def test_every_deal_of_a_small_layout_is_solved() -> None:
    """All orders and directions of its pieces are tried one by one."""
    layout = MATCH[0]
    for order in set(itertools.permutations(layout.pieces)):
        for turns in itertools.product(range(4), repeat=3):
            # The whole picture may be turned, so the first piece need not be.
            pieces = (Piece(order[0]), *map(Piece, order[1:], turns))
            found = solution(layout.dealt(pieces))
            assert found is not None
            assert found.actions <= 7


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_check_tells_what_no_deal_denies(data: st.DataObject) -> None:
    """For any pieces, either all deals of a layout can be solved or none, as the check says."""
    family = data.draw(st.sampled_from(Family))
    letters = {Family.CONNECT: ".x", Family.MATCH: "abc", Family.ORDER: "abc"}[family]
    size = 1 if family is Family.ORDER else 4
    faces = data.draw(
        st.lists(st.text(letters, min_size=size, max_size=size), min_size=4, max_size=4)
    )
    goal = data.draw(st.integers(1, 2))
    layout = Layout("puzzle/p", family, 2, 2, tuple(faces), goal=goal, least=1)
    can_be_solved = not any("in no order" in reason for _, reason in read(yaml_of(layout))[1])
    for puzzle in deals(layout, 6):
        assert (solution(puzzle) is not None) is can_be_solved


def test_deals_use_all_pieces_and_no_others() -> None:
    """Pieces of an order are never turned."""
    for layout in (CONNECT[1], MATCH[1], ORDER[1]):
        for puzzle in deals(layout, 5):
            assert sorted(piece.face for piece in puzzle.pieces) == sorted(layout.pieces)
            assert layout.family is not Family.ORDER or not any(p.turns for p in puzzle.pieces)
            assert puzzle.is_solved or legal_actions(puzzle, 0)


@pytest.mark.parametrize(
    ("changes", "field", "told"),
    [
        ({"rows": 3, "columns": 3}, "rows", "at most 6 pieces"),
        ({"columns": 2}, "pieces", "one piece for each of the 4 cells"),
        ({"source": 3}, "source", "2 rows"),
        ({"goal": 3}, "goal", "2 rows"),
        ({"pieces": ("xx..",) * 5 + ("xxa.",)}, "pieces", "'xxa.' is no piece of this family"),
        ({"pieces": ("xx..",) * 5 + ("xx",)}, "pieces", "'xx' is no piece of this family"),
        ({"family": Family.ORDER}, "pieces", "write one letter"),
        ({"family": Family.MATCH}, "pieces", "a letter for each side"),
        ({"pieces": ("x...",) * 6}, "pieces", "in no order and direction"),
        ({"least": 7}, "least", "ask for less"),
    ],
)
def test_what_is_wrong_with_a_layout_is_told(
    changes: dict[str, Any], field: str, told: str
) -> None:
    """Each mistake is told at its field."""
    ((key, reason),) = read(yaml_of(attrs.evolve(CONNECT[0], **changes)))[1]
    assert key == field
    assert told in reason


def test_checking_a_layout_takes_no_time() -> None:
    """Well under a second even for the largest grid, so that authors check at each save."""
    began = time.process_time()
    read(yaml_of(MATCH[1]))
    assert time.process_time() - began < 1


@pytest.mark.rule("K-DECIDE-10")
def test_a_supply_has_the_pieces_of_all_puzzles_of_a_story() -> None:
    """All of them may lie at once."""
    assert [*missing_pieces(LAYOUTS, supply_for(*LAYOUTS))] == []
    assert [*missing_pieces(ORDER[:2], PieceSupply(order={"a": 3, "b": 1, "c": 3, "d": 2}))] == [
        (Family.ORDER, "b", 2),
        (Family.ORDER, "e", 1),
    ]


LOCK = "- id: lock/cellar\n  opening: {puzzle: puzzle/shelf}\n"
SHELF = "- {id: puzzle/shelf, family: order, rows: 1, columns: 5, pieces: [a, b, c, d, e]}\n"
PIECES = "order: {a: 1, b: 1, c: 2, d: 1, e: 1}\n"


def with_puzzle(pieces: str = PIECES, puzzles: str = SHELF) -> dict[str, bytes]:
    """Return the tiny pack with a puzzle at its lock."""
    texts = {"locks.yaml": LOCK, "puzzles.yaml": puzzles, "pieces.yaml": pieces}
    return worded({**FILES, **{name: text.encode() for name, text in texts.items()}})


@pytest.mark.rule("K-CARD-18")
def test_a_pack_has_puzzles_and_their_pieces() -> None:
    """A story has the puzzles of its locks and obstacles."""
    pack = load(with_puzzle(puzzles=SHELF + SHELF.replace("shelf", "other")))
    assert [layout.id for layout in pack.puzzles.values()] == ["puzzle/shelf", "puzzle/other"]
    assert pack.pieces.order["c"] == 2
    (story,) = pack.scenarios.values()
    assert [layout.id for layout in pack.puzzles_of(story)] == ["puzzle/shelf"]


@pytest.mark.rule("K-DECIDE-10", "W-DECIDE-48")
@pytest.mark.parametrize("file", ["actions.yaml", "mythos.yaml"])
def test_a_story_has_the_puzzles_of_rituals_on_cards_of_its_keeper(file: str) -> None:
    files = with_puzzle(
        "order: {a: 2, b: 2, c: 2, d: 2, e: 2}\n", SHELF + SHELF.replace("shelf", "rite")
    )
    ritual = b"effect: [{ritual: {puzzle: puzzle/rite, actions: 3}}, "
    files[file] = files[file].replace(b"effect: [", ritual, 1)

    pack = load(files)

    (story,) = pack.scenarios.values()
    assert [layout.id for layout in pack.puzzles_of(story)] == ["puzzle/shelf", "puzzle/rite"]


@pytest.mark.rule("K-DECIDE-10")
def test_a_story_whose_puzzles_lack_pieces_is_refused() -> None:
    """The mistake says which pieces, and where to write them."""
    (told,) = mistakes_in(with_puzzle(pieces="order: {a: 1, b: 1, c: 2, d: 1}\n"))
    assert "need 1 more of the piece e; write them into pieces.yaml" in told
    assert told.startswith(f"{HOUSE}:1:")


def test_a_lock_names_a_puzzle_that_exists() -> None:
    """Others are suggested."""
    (told,) = mistakes_in(with_puzzle(puzzles=SHELF.replace("shelf", "shell")))
    assert "there is no puzzle 'puzzle/shelf'; did you mean 'puzzle/shell'?" in told


@pytest.mark.rule("K-CARD-18")
def test_the_box_has_at_least_four_puzzles_of_each_family() -> None:
    """Each of them takes an attempt or two, from nearly any deal."""
    pack = manor()
    families = [layout.family for layout in pack.puzzles.values()]
    assert all(families.count(family) >= 4 for family in Family)
    for layout in pack.puzzles.values():
        actions = [count for count in usual_actions(layout) if count >= layout.least]
        assert 3 <= actions[len(actions) // 2] <= 8
    box = pack.without(pack.products)
    assert [*missing_pieces(box.puzzles.values(), box.pieces)] == []
