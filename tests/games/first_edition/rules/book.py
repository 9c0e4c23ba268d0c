"""The rulebook of the first edition."""

from tests.games.rulebook.books import Book

BOOK = Book(
    game="first_edition",
    package="server.games.first_edition.rules",
    sizes={"rules": 291, "decisions": 108, "examples": 30},
    kinds={"K-DECIDE": "decisions", "K-EX": "examples"},
    slow=("twins", "client", "content"),
)
