"""Checks of puzzles, beyond their types."""

from content.games.second_edition.checks.registry import checks
from content.games.second_edition.schema import puzzles
from content.reading.sheet import Complaint


@checks(puzzles.Code)
def _code(code: puzzles.Code, fault: Complaint) -> None:
    _begins(code, "code", fault)
    if len(code.pieces) < 2 or len(set(code.pieces)) < len(code.pieces):
        fault("pieces", "a code has at least two pieces, each written once")


@checks(puzzles.Slide)
def _slide(slide: puzzles.Slide, fault: Complaint) -> None:
    _begins(slide, "slide", fault)
    if slide.rows * slide.columns < 6:
        fault("rows", "a picture is cut into six pieces at least (SLIDE-1)")
    elif slide.least > slide.hardest:
        fault("least", f"with so many pieces, {slide.hardest} steps can be asked for at most")
    lines = slide.picture.split("\n")
    if not slide.picture.isascii():
        fault("picture", "draw it with plain ASCII characters, so that every client can show it")
    elif len(lines) > puzzles.MOST_LINES or max(map(len, lines)) > puzzles.MOST_COLUMNS:
        most = f"{puzzles.MOST_LINES} lines of {puzzles.MOST_COLUMNS} characters"
        fault("picture", f"a picture has {most} at most")
    else:
        try:
            pieces = slide.cut()
        except ValueError as error:
            fault("picture", f"{error}; add or leave out lines")
        else:
            if len(set(pieces)) < len(pieces):
                fault("picture", "two pieces look the same, so nobody could tell where they belong")


def _begins(puzzle: puzzles.Puzzle, prefix: str, fault: Complaint) -> None:
    if not puzzle.id.startswith(f"{prefix}/"):
        fault("id", f"an id in this list begins with {prefix}/")


@checks(puzzles.Lock)
def _lock(lock: puzzles.Lock, fault: Complaint) -> None:
    _begins(lock, "lock", fault)
    if lock.steps > lock.hardest:
        fault("steps", f"in a grid of this size, {lock.hardest} steps can be asked for at most")
