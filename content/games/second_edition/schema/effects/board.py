"""Steps that build the board, and place or remove what is on it."""

from typing import Annotated

from content.games.second_edition.schema.effects.base import PASSAGE, Number, Step
from content.games.second_edition.schema.kinds import (
    DoorName,
    DoorTokenId,
    FigureName,
    Kind,
    MonsterId,
    MonsterTrait,
    Place,
    TileId,
    TokenId,
)
from content.reading.meanings import Names, Role
from content.reading.parts import part
from protocol.games.second_edition.table import FeatureKind


@part(Step, "place_tile", inline="tile")
class PlaceTile(Step):
    """Put a tile of the scenario on the board. Rule TILE-4."""

    tile: Annotated[TileId, Role.BRINGS]


@part(Step, "clear_board", inline="value")
class ClearBoard(Step):
    """
    Take everything off the board. Rules CLEAR-1 to CLEAR-4.

    Tiles, tokens, features, monsters and figures are set aside and can be placed again; dropped
    possessions are discarded (DECIDE-147). Place tiles and then figures next: without a space
    nobody can do much (DECIDE-148).
    """

    value: bool = True


@part(Step, "place_wall", inline="door")
class PlaceWall(Step):
    """Cover a door with a Wall token, so that the door counts as a wall. Rule WALL-3."""

    door: DoorName


@part(Step, "remove_wall", inline="door")
class RemoveWall(Step):
    """Discard the Wall token of a door, if there is one. The door counts as a door again."""

    door: DoorName


@part(Step, "place_door", inline="door")
class PlaceDoor(Step):
    """Place a Door token of the scenario, once both spaces beside its wall are placed. DOOR-3."""

    door: Annotated[DoorTokenId, Role.BRINGS]


@part(Step, "remove_door", inline="door")
class RemoveDoor(Step):
    """Discard a Door token, if it is on the board. Its place is a wall again."""

    door: Annotated[DoorTokenId, Role.ASKS]


@part(Step, "place_token", inline="token")
class PlaceToken(Step):
    """Put a token of the scenario on the board. Rule TOKEN-1."""

    token: Annotated[TokenId, Role.BRINGS]


@part(Step, "remove_token", inline="token")
class RemoveToken(Step):
    """Discard a token, if it is on the board. DECIDE-99."""

    token: Annotated[TokenId, Role.ASKS]


@part(Step, "place_feature")
class PlaceFeature(Step):
    """
    Put a feature (a square token) into a space. Rules FEATURE-1, FIRE-11 and DARKNESS-7.

    A space holds at most one feature of each kind, and placing a second one does nothing; but it
    can hold several Barricades.
    """

    feature: FeatureKind
    at: Annotated[str, Names(Kind.SPACE, free=frozenset(["actor", "random"]))]
    """The space: an id, `actor` for the actor's own space, or `random` for a random space on the
    board."""
    against: Annotated[str, Names(Kind.DOOR, free=frozenset([PASSAGE]))] | None = None
    """For a Barricade: the door of the space that the Barricade blocks at first, or `passage` for
    its Secret Passage. If left out, the Barricade blocks nothing at first. Rule BARRICADE-1."""


@part(Step, "remove_feature")
class RemoveFeature(Step):
    """Discard a feature, if the space has one. Rule DISCARD-3."""

    feature: FeatureKind
    at: Annotated[str, Names(Kind.SPACE, free=frozenset(["actor", "all"]))]
    """The space: an id, `actor` for the actor's own space, or `all` for every space."""


@part(Step, "spawn")
class Spawn(Step):
    """A monster appears. Rules MONSTER-6 and DECIDE-134."""

    kind: MonsterId | None = None
    at: Place = "actor"
    """The place where the monster appears: a space, a room, or a word for a space."""
    count: Number = 1
    unique: bool = False
    """Whether the monster is unique in the story. A unique monster has a number even if no other of
    its kind has appeared. Rule MONSTER-8."""
    trait: MonsterTrait | None = None
    """A trait, in place of `kind`: a random available monster with the trait appears."""
    name: FigureName | None = None
    """A name from the scenario's `monsters`. Other steps can use the name while the monster is on
    the board."""
    fresh: bool = False
    """Whether the kind must be one that has not appeared in this game."""
    health: Number | None = None
    """The health of the monster, in place of the health on its card."""
    damage: Number = 0
    """Damage that the monster has at first; at least 1 health is left."""
