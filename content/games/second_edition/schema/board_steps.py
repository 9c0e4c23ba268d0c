"""Steps that change the board in play: tiles taken away, tokens and figures moved."""

from typing import Annotated

from content.games.second_edition.schema.effects import Step
from content.games.second_edition.schema.kinds import Place, StoryText, TileId, TokenId
from content.reading.meanings import Role
from content.reading.parts import part


@part(Step, "remove_tile")
class RemoveTile(Step):
    """
    Take a tile off the board. Rule TILE-3.

    Tokens, features, monsters and dropped cards on it are discarded. Figures are placed
    elsewhere, and so may enter a space or a room.
    """

    tile: Annotated[TileId, Role.ASKS, Role.SHORT]
    to: Place = "nearest"
    """Where the figures on the tile go: a space, a room, or a word for a space. With `nearest`,
    each figure goes to the nearest space that stays on the board."""


@part(Step, "move_token")
class MoveToken(Step):
    """Put a token that lies on the board into another space."""

    token: Annotated[TokenId, Role.ASKS]
    to: Place
    """The new place of the token: a space, a room, or a word for a space."""


@part(Step, "chapter", inline="text")
class Chapter(Step):
    """A new chapter of the story begins, for all to read."""

    text: StoryText
