"""The rulebook of the card game."""

from tests.games.rulebook.books import Book

BOOK = Book(
    game="cards",
    package="server.games.cards.rules",
    sizes={"rules": 814, "decisions": 65, "examples": 128, "secrets": 39},
    kinds={"C-DECIDE": "decisions", "C-EX": "examples", "C-SECRET": "secrets"},
    slow=("twins", "client", "content"),
)
