"""Events of the board and the pieces on it."""

from collections.abc import Mapping

from protocol.boards.maps import Covering, PlacedTile, shared_tile
from protocol.event import event
from protocol.games.second_edition.events.base import Game, SecondEditionEvent, with_entry, without
from protocol.games.second_edition.table import (
    CardId,
    Face,
    Feature,
    FeatureId,
    Investigator,
    InvestigatorId,
    MonsterId,
    Skill,
    SpaceId,
    Token,
    TokenId,
    Wellbeing,
)
from protocol.values import evolve


@event("se/supply_laid_out")
class SupplyLaidOut(SecondEditionEvent):
    """The faceup decks were laid out. Rule SETUP-4."""

    supply: Mapping[CardId, int]

    def fold(self, table: Game) -> Game:
        return evolve(table, supply=self.supply)


@event("se/backs_laid_out")
class BacksLaidOut(SecondEditionEvent):
    """
    The backs of two-sided Items are announced. Rules SECRET-9, TWOSIDED-2.

    The backs of Spells stay secret (SECRET-4).
    """

    backs: Mapping[CardId, CardId]

    def fold(self, table: Game) -> Game:
        return evolve(table, backs=self.backs)


@event("se/investigator_joined")
class InvestigatorJoined(SecondEditionEvent):
    """An investigator takes part. Rules SETUP-8 and INVESTIGATOR-3."""

    investigator: InvestigatorId
    seat: int
    health: int
    sanity: int
    skills: Mapping[Skill, int]

    def fold(self, table: Game) -> Game:
        """Add the investigator's card; the figure is placed later."""
        card = Investigator(self.investigator, self.seat, self.health, self.sanity, self.skills)
        return evolve(table, investigators=with_entry(table.investigators, self.investigator, card))


@event("se/tile_placed")
class TilePlaced(SecondEditionEvent):
    """A map tile came into play. Rules TILE-1 and TILE-4."""

    tile: PlacedTile

    def fold(self, table: Game) -> Game:
        return evolve(table, tiles=(*table.tiles, shared_tile(self.tile)))


@event("se/tile_removed")
class TileRemoved(SecondEditionEvent):
    """A map tile left play. Rule TILE-3."""

    tile: str

    def fold(self, table: Game) -> Game:
        left = tuple(t for t in table.tiles if t.tile != self.tile)
        assert len(left) < len(table.tiles)
        return evolve(table, tiles=left)


@event("se/covering_placed")
class CoveringPlaced(SecondEditionEvent):
    """A Wall token was placed on a door, or a Door token on a wall. Rules WALL-3 and DOOR-3."""

    covering: Covering

    def fold(self, table: Game) -> Game:
        return evolve(table, coverings=(*table.coverings, self.covering))


@event("se/covering_removed")
class CoveringRemoved(SecondEditionEvent):
    """A Wall or Door token was discarded; the drawing below it counts again. Rule DISCARD-3."""

    covering: str

    def fold(self, table: Game) -> Game:
        left = tuple(c for c in table.coverings if c.covering != self.covering)
        assert len(left) < len(table.coverings)
        return evolve(table, coverings=left)


@event("se/token_placed")
class TokenPlaced(SecondEditionEvent):
    """A token was placed. Rule TOKEN-1."""

    token: Token

    def fold(self, table: Game) -> Game:
        return evolve(table, tokens=with_entry(table.tokens, self.token.token_id, self.token))


@event("se/person_health")
class PersonHealth(SecondEditionEvent):
    """
    A person who can be hurt was placed, or their damage changed.

    A person with as much damage as health dies; their token is discarded next.
    """

    token: TokenId
    health: int
    damage: int
    """The whole damage suffered so far."""

    def fold(self, table: Game) -> Game:
        # A log can name a token that is not there; that is a fault of the log, found here.
        person = table.tokens[self.token].token_id
        now = Wellbeing(self.health, self.damage)
        return evolve(table, persons=with_entry(table.persons, person, now))


@event("se/token_moved")
class TokenMoved(SecondEditionEvent):
    """A token was moved to another space."""

    token: TokenId
    at: SpaceId

    def fold(self, table: Game) -> Game:
        moved = evolve(table.tokens[self.token], at=self.at)
        return evolve(table, tokens=with_entry(table.tokens, self.token, moved))


@event("se/token_removed")
class TokenRemoved(SecondEditionEvent):
    """A token was discarded. Rules DISCARD-3 and DECIDE-99."""

    token: TokenId

    def fold(self, table: Game) -> Game:
        tokens = without(table.tokens, self.token)
        if self.token not in table.persons:
            return evolve(table, tokens=tokens)
        return evolve(table, tokens=tokens, persons=without(table.persons, self.token))


@event("se/feature_placed")
class FeaturePlaced(SecondEditionEvent):
    """A square token was placed. Rules FEATURE-1, FIRE-11 and DARKNESS-7."""

    feature: Feature

    def fold(self, table: Game) -> Game:
        features = with_entry(table.features, self.feature.feature_id, self.feature)
        return evolve(table, features=features)


@event("se/barricade_shifted")
class BarricadeShifted(SecondEditionEvent):
    """A Barricade was moved in its space. Rules BARRICADE-2, BARRICADE-3 and BARRICADE-8."""

    feature: FeatureId
    against: str | None
    """The door that the Barricade blocks now, or the id of the Secret Passage; None if it blocks
    neither."""

    def fold(self, table: Game) -> Game:
        shifted = evolve(table.features[self.feature], against=self.against)
        return evolve(table, features=with_entry(table.features, self.feature, shifted))


@event("se/barricade_assaulted")
class BarricadeAssaulted(SecondEditionEvent):
    """A monster rolled to break a Barricade. Rules BARRICADE-10 to BARRICADE-14."""

    monster: MonsterId
    feature: FeatureId
    faces: tuple[Face, ...]
    """Faces of the dice. Only `se/barricade_rerolled` changes them. DECIDE-86."""
    is_broken: bool
    """True if the roll is sufficient. The Barricade is discarded if the roll is still sufficient
    after rerolls. Rule BARRICADE-15."""

    def fold(self, table: Game) -> Game:
        assert self.monster in table.monsters
        assert self.feature in table.features
        return table


@event("se/barricade_rerolled")
class BarricadeRerolled(SecondEditionEvent):
    """Dice of a monster's roll against a Barricade were rolled again by a card. BARRICADE-14."""

    monster: MonsterId
    feature: FeatureId
    faces: tuple[Face, ...]
    """Faces of all dice after the reroll."""
    rerolled: tuple[int, ...]
    """Indexes of the dice that were rolled again."""
    is_broken: bool
    """True if the roll is sufficient, as in `se/barricade_assaulted`."""

    def fold(self, table: Game) -> Game:
        assert self.monster in table.monsters
        assert self.feature in table.features
        return table


@event("se/feature_removed")
class FeatureRemoved(SecondEditionEvent):
    """A square token was discarded. Rule DISCARD-3."""

    feature: FeatureId

    def fold(self, table: Game) -> Game:
        return evolve(table, features=without(table.features, self.feature))


@event("se/investigator_moved")
class InvestigatorMoved(SecondEditionEvent):
    """A figure was moved one space, or placed somewhere. Rules MOVE-2 and MOVE-12."""

    investigator: InvestigatorId
    space: SpaceId | None
    """The new space of the figure; None if the figure was removed from the board."""

    def fold(self, table: Game) -> Game:
        return table.with_investigator(self.investigator, space=self.space)
