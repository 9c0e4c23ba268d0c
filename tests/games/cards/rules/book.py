"""The rulebook of the card game."""

from tests.games.rulebook.books import Book

BOOK = Book(
    game="cards",
    package="server.games.cards.rules",
    sizes={"rules": 814, "decisions": 65, "examples": 128},
    kinds={"C-DECIDE": "decisions", "C-EX": "examples"},
    slow=("twins", "client", "content"),
)
