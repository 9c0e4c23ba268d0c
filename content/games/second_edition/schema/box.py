"""The box: the number of tokens of each kind. Cards and figures have `copies` instead."""

import enum
from collections.abc import Mapping
from typing import Annotated

import attrs

from content.games.second_edition.schema.kinds import Kind
from content.reading.meanings import Declares
from protocol.games.second_edition.table import TokenKind


class Supply(enum.Enum):
    """A heap of tokens: those of one kind, or the two faces of one token."""

    EXPLORE_SIGHT = "explore_sight"
    """Explore and Sight tokens. Rule TOKEN-3."""
    SEARCH_INTERACT = "search_interact"
    """Search and Interact tokens. Rule TOKEN-4."""
    PERSON = "person"
    BARRICADE = "barricade"
    SECRET_PASSAGE = "secret_passage"  # noqa: S105  # a piece on the map
    WALL = "wall"
    DOOR = "door"
    ID = "id"


OF_TOKENS: Mapping[TokenKind, Supply] = {
    TokenKind.EXPLORE: Supply.EXPLORE_SIGHT,
    TokenKind.SIGHT: Supply.EXPLORE_SIGHT,
    TokenKind.SEARCH: Supply.SEARCH_INTERACT,
    TokenKind.INTERACT: Supply.SEARCH_INTERACT,
    TokenKind.PERSON: Supply.PERSON,
}
"""The heap of each kind of token. The two faces of one token share a heap. Rules TOKEN-3 and
TOKEN-4."""


@attrs.frozen
class Box:
    """
    The tokens of a pack. Omitted counts default to those of the printed box. Rule LIMIT-3.

    A token is not placed once its heap is empty; the linter reports scenarios that need more than
    there are. Fire, Darkness and Clues never run out (LIMIT-1).
    """

    explore_sight: int = 16
    """Number of Explore and Sight tokens."""
    search_interact: int = 16
    """Number of Search and Interact tokens."""
    person: int = 22
    """Number of Person tokens."""
    barricade: int = 4
    """Number of Barricades."""
    secret_passage: int = 4
    """Number of Secret Passages."""
    wall: int = 8
    """Number of Wall tokens."""
    door: int = 4
    """Number of Door tokens."""
    id: int = 6
    """Number of ID tokens."""
    tiles: int = 24
    """Maximum number of tiles in `tiles.yaml`; the box holds one copy of each tile."""
    room_traits: tuple[Annotated[str, Declares(Kind.ROOM_TRAIT)], ...] = ()
    """Room traits that shared events may name even if no scenario of the pack has such a room
    yet."""

    def count(self, supply: Supply) -> int:
        """Return the number of tokens in a heap."""
        return int(getattr(self, supply.value))
