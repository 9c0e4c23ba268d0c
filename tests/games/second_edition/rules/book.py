"""The rulebook of the second edition."""

from server.games.second_edition.rules.play import Outcome
from tests.games.rulebook.books import Book

BOOK = Book(
    game="second_edition",
    package="server.games.second_edition.rules",
    sizes={"rules": 439, "decisions": 150, "examples": 37},
    kinds={"DECIDE": "decisions", "EX": "examples"},
    stand_ins={"Outcome": Outcome},
    slow=("twins", "client", "authoring", "content", "lobby"),
)
