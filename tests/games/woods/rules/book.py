"""The rulebook of the woods."""

from tests.games.rulebook.books import Book

BOOK = Book(game="woods", package="tests.games.woods.server", sizes={"rules": 10})
