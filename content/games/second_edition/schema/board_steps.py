"""Steps that change the board in play: tiles taken away, tokens and figures moved."""

from typing import Annotated

from content.games.second_edition.schema.effects import Number, Step
from content.games.second_edition.schema.kinds import Place, StoryText, TileId, TokenId
from content.reading.meanings import Role
from content.reading.parts import part


@part(Step, "remove_tile")
class RemoveTile(Step):
    """
    Take a tile off the board. Rule TILE-3.

    Tokens, features, monsters and dropped cards on it are discarded. Figures are put into
    another space, which counts as entering it.
    """

    tile: Annotated[TileId, Role.ASKS, Role.SHORT]
    to: Place = "nearest"
    """
    The place where the figures on the tile go: a space, a room, or a word for a space. With
    `nearest`, each figure goes to the nearest space that stays on the board.
    """


@part(Step, "move_token")
class MoveToken(Step):
    """Put a token that lies on the board into another space."""

    token: Annotated[TokenId, Role.ASKS]
    to: Place
    """The new place of the token: a space, a room, or a word for a space."""


@part(Step, "hurt_person")
class HurtPerson(Step):
    """
    A person on the board suffers damage, if they can be hurt.

    A person with as much damage as health dies, and their token is discarded.
    """

    token: Annotated[TokenId, Role.ASKS]
    """The token of the person."""
    amount: Number = 1


@part(Step, "heal_person")
class HealPerson(Step):
    """A person on the board loses some of their damage."""

    token: Annotated[TokenId, Role.ASKS]
    """The token of the person."""
    amount: Number = 1


@part(Step, "chapter", inline="text")
class Chapter(Step):
    """Begin a new chapter of the story, which everybody can read."""

    text: StoryText
