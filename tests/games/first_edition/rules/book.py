"""The rulebook of the first edition."""

from tests.games.rulebook.books import Book

BOOK = Book(
    game="first_edition",
    package="server.games.first_edition.rules",
    sizes={"rules": 291 + 163, "decisions": 108 + 56, "examples": 30 + 26},
    kinds={
        "K-DECIDE": "decisions",
        "K-EX": "examples",
        "W-DECIDE": "decisions",
        "W-EX": "examples",
    },
    slow=("twins", "client", "content"),
)
