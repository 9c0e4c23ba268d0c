"""Steps that change the board once it lies there: tiles taken away, tokens and figures moved."""

from content.games.second_edition.schema.effects import Step
from content.reading.parts import part


@part(Step, "remove_tile")
class RemoveTile(Step):
    """
    Take a tile off the board. Rule TILE-3.

    Tokens, features, monsters and what lies on it are discarded. Figures are placed elsewhere, and
    can enter what is there.
    """

    tile: str
    to: str = "nearest"
    """Where figures on it go: a space, a room, a word for a space; `nearest` for the nearest that
    stays, to each."""


@part(Step, "move_token")
class MoveToken(Step):
    """Put a token that lies on the board into another space."""

    token: str
    to: str
    """A space, a room, or a word for a space."""


@part(Step, "chapter", inline="text")
class Chapter(Step):
    """A new chapter of the story begins, for all to read."""

    text: str
