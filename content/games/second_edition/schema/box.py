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
"""Two faces of one token come from one heap. Rules TOKEN-3 and TOKEN-4."""


@attrs.frozen
class Box:
    """
    The tokens of a pack. Omitted counts default to those of the printed box. Rule LIMIT-3.

    A token is not placed once its heap is empty; the linter reports scenarios that need more than
    there are. Fire, Darkness and Clues never run out (LIMIT-1).
    """

    explore_sight: int = 16
    """How many Explore and Sight tokens there are."""
    search_interact: int = 16
    """How many Search and Interact tokens there are."""
    person: int = 22
    """How many Person tokens there are."""
    barricade: int = 4
    """How many Barricades there are."""
    secret_passage: int = 4
    """How many Secret Passages there are."""
    wall: int = 8
    """How many Wall tokens there are."""
    door: int = 4
    """How many Door tokens there are."""
    id: int = 6
    """How many ID tokens there are."""
    tiles: int = 24
    """The most tiles in `tiles.yaml`; there is one of each."""
    room_traits: tuple[Annotated[str, Declares(Kind.ROOM_TRAIT)], ...] = ()
    """Traits of rooms that shared events may ask for before any scenario has such a room."""

    def count(self, supply: Supply) -> int:
        """Return the number of tokens of a kind."""
        return int(getattr(self, supply.value))
