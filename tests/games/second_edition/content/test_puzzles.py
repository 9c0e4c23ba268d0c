"""Slide and lock puzzles in a pack, and the errors in them."""

import pytest

from content.games.second_edition.schema import puzzles
from tests.games.second_edition.content.packs import FILES, edited, load, mistakes_in

SCENARIO = "scenarios/cellar.yaml"
SLIDE = """\
slides:
  - id: slide/face
    rows: 2
    columns: 3
    picture: |
      ab  cd
      efghi
"""
LOCK = """\
locks:
  - id: lock/box
    rows: 4
    columns: 6
    steps: 6
"""


def with_puzzles(slide: str = SLIDE, lock: str = LOCK) -> dict[str, bytes]:
    """Return the tiny pack with a slide and a lock puzzle, both with names."""
    files = edited(SCENARIO, "codes:\n", f"{slide}{lock}codes:\n")
    for language in ("en", "fr"):
        name = f"words/{language}/words.yaml"
        named = b"slide/face: {name: A Face}\nlock/box: {name: A Box}\n"
        files[name] = FILES[name] + b"\n" + named
    return files


def test_puzzles_are_read() -> None:
    """A picture is cut evenly and padded with blanks."""
    (scenario,) = load(with_puzzles()).scenarios.values()

    (slide,) = scenario.slides
    assert slide.cut() == (("ab",), ("  ",), ("cd",), ("ef",), ("gh",), ("i ",))
    assert scenario.locks == (puzzles.Lock("lock/box", 4, 6, 6),)
    assert [puzzle.id for puzzle in scenario.puzzles] == ["code/chest", "slide/face", "lock/box"]


@pytest.mark.rule("SLIDE-1")
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("columns: 3", "columns: 2", "six pieces at least"),
        ("    columns: 3\n", "    columns: 3\n    least: 9\n", "7 steps can be asked for at most"),
        ("efghi", "ef  cd", "two pieces look the same"),
        ("      efghi\n", "      efghi\n      jk\n", "3 lines cannot be cut into 2 rows"),
        ("efghi", "efghé", "plain ASCII"),
        ("efghi", "x" * 37, "12 lines of 36 characters at most"),
        ("id: slide/face", "id: lock/face", "begins with slide/"),
    ],
)
def test_what_is_wrong_with_a_picture_is_told(old: str, new: str, told: str) -> None:
    reasons = [error.reason for error in mistakes_in(with_puzzles(slide=SLIDE.replace(old, new)))]

    assert any(told in reason for reason in reasons), reasons


@pytest.mark.rule("LOCK-1")
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("rows: 4", "rows: 7", "4 to 6 is allowed"),
        ("steps: 6", "steps: 7", "6 steps can be asked for at most"),
        ("steps: 6", "steps: 1", "out of bounds"),
        ("id: lock/box", "id: slide/box", "begins with lock/"),
    ],
)
def test_what_is_wrong_with_a_lock_is_told(old: str, new: str, told: str) -> None:
    reasons = [error.reason for error in mistakes_in(with_puzzles(lock=LOCK.replace(old, new)))]

    assert any(told in reason for reason in reasons), reasons


@pytest.mark.issue(39)
@pytest.mark.parametrize("seconds", [9, 601])
def test_how_long_an_attempt_may_last_is_told(seconds: int) -> None:
    reasons = [
        error.reason for error in mistakes_in(with_puzzles(lock=f"{LOCK}    seconds: {seconds}\n"))
    ]

    assert reasons == [f"{seconds} is out of bounds; 10 to 600 is allowed"]


@pytest.mark.issue(39)
def test_each_type_of_puzzle_can_have_a_time() -> None:
    files = with_puzzles(f"{SLIDE}    seconds: 10\n", f"{LOCK}    seconds: 600\n")
    length = b"    length: 3\n"
    files[SCENARIO] = files[SCENARIO].replace(length, length + b"    seconds: 60\n")
    (scenario,) = load(files).scenarios.values()

    assert [puzzle.seconds for puzzle in scenario.puzzles] == [60, 10, 600]
