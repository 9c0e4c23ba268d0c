"""Books: the location and peculiarities of the rulebook of each game.

A game with a rulebook has `tests/games/<game>/rules/book.py` with a `BOOK`, `catalogue.yaml` beside
it and, once faults were planted, `bites.json`.
"""

import importlib
from collections.abc import Mapping
from pathlib import Path

import attrs

ROOT = Path(__file__).parents[3]
TESTS = ROOT / "tests"
GAMES = TESTS / "games"


@attrs.frozen
class Book:
    """Rulebook of one game."""

    game: str
    package: str
    """Dotted name of the package that holds the rules."""
    sizes: Mapping[str, int]
    """Number of entries of each kind."""
    kinds: Mapping[str, str] = attrs.field(factory=dict)
    """Kind of the entries of a section, by the section; all others are `rules`."""
    stand_ins: Mapping[str, type] = attrs.field(factory=dict)
    """Types of which a rule that does nothing returns an empty value, by name."""
    slow: tuple[str, ...] = ()
    """Folders whose tests run only for a rule that no other test pins."""

    @property
    def source(self) -> Path:
        """Folder of the code of the rules."""
        return ROOT.joinpath(*self.package.split("."))

    @property
    def tests(self) -> Path:
        return GAMES / self.game

    @property
    def catalogue(self) -> Path:
        """Path of the file that states each rule in our own words."""
        return self.tests / "rules" / "catalogue.yaml"

    @property
    def bites(self) -> Path:
        """Path of the file of faults that tests saw."""
        return self.tests / "rules" / "bites.json"


def games() -> tuple[str, ...]:
    """Return the games that have a book."""
    return tuple(sorted(path.parents[1].name for path in GAMES.glob("*/rules/book.py")))


def games_without_book() -> tuple[str, ...]:
    """Return the games whose rules are here, and that have no book."""
    ours = [path.parent.name for path in ROOT.glob("server/games/*/__init__.py")]
    of_tests = [path.parents[1].name for path in GAMES.glob("*/server/__init__.py")]
    return tuple(sorted({*ours, *of_tests} - {*games()}))


def book_of(game: str) -> Book:
    book: Book = importlib.import_module(f"tests.games.{game}.rules.book").BOOK
    return book
