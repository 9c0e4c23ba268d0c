"""
Requirements: questions that scenario data asks about the table.

In YAML a requirement is a mapping with one key, such as `round: {at_least: 3}` or
`any: [ …, … ]`, or a comparison as text, such as `tide >= 12 and told = 0`. All of them are
answered by `server.games.second_edition.rules.requirements`.
"""

from typing import Annotated

import attrs

from content.games.second_edition.schema.kinds import (
    ONE_UP,
    UNBOUNDED,
    ConditionId,
    CounterName,
    Distance,
    FigureName,
    InvestigatorId,
    ItemId,
    Kind,
    MonsterId,
    MonsterTrait,
    Origin,
    ProductId,
    PuzzleId,
    RoomId,
    SpaceId,
    TimerName,
    TokenId,
    Trait,
)
from content.reading.formulas import MOST, Expression, Relation
from content.reading.meanings import Bounds, Names, Role, ShownUnder
from content.reading.parts import part, part_in_text
from protocol.games.second_edition.table import FeatureKind


class Requirement:
    """A condition that either holds or does not hold at a moment of the game."""


@part(Requirement, "all", inline="of")
class AllOf(Requirement):
    """All of several requirements hold."""

    of: tuple[Requirement, ...]


@part(Requirement, "any", inline="of")
class AnyOf(Requirement):
    """At least one of several requirements holds."""

    of: tuple[Requirement, ...]


@part(Requirement, "not", inline="of")
class Not(Requirement):
    """A requirement does not hold."""

    of: Requirement


@part_in_text(Requirement)
class Comparison(Requirement):
    """A relation holds between two numbers; written as text, such as `tide + 1 < round`."""

    left: Expression
    relation: Relation
    right: Expression


@part(Requirement, "round")
class Round(Requirement):
    """The number of the round is within these bounds."""

    at_least: Annotated[int, UNBOUNDED] = 0
    at_most: Annotated[int, UNBOUNDED] = 1_000_000


@part(Requirement, "counter")
class CounterWithin(Requirement):
    """A counter is within these bounds."""

    name: CounterName
    at_least: Annotated[int, Bounds(-MOST, MOST)] = -1_000_000
    at_most: Annotated[int, Bounds(-MOST, MOST)] = 1_000_000


@part(Requirement, "investigators")
class Investigators(Requirement):
    """The number of investigators at the start is within these bounds. DECIDE-150."""

    at_least: Annotated[int, UNBOUNDED] = 0
    at_most: Annotated[int, UNBOUNDED] = 1_000_000


@part(Requirement, "is", inline="investigator")
class Is(Requirement):
    """The investigator concerned is the given investigator."""

    investigator: InvestigatorId


@part(Requirement, "in_play", inline="investigator")
class InPlay(Requirement):
    """This investigator was chosen for the game, eliminated or not."""

    investigator: InvestigatorId


@part(Requirement, "standing", inline="investigator")
class Standing(Requirement):
    """This investigator is in the game and not eliminated."""

    investigator: InvestigatorId


@part(Requirement, "has_item", inline="item")
class HasItem(Requirement):
    """The investigator concerned has this Item, with either side face up."""

    item: Annotated[ItemId, Role.ASKS]


@part(Requirement, "has_trait", inline="trait")
class HasTrait(Requirement):
    """The investigator concerned has a card with this trait. Rules EXPLORE-5 and TRAIT-3."""

    trait: Annotated[Trait, ShownUnder("trait")]


@part(Requirement, "anyone_has_item", inline="item")
class AnyoneHasItem(Requirement):
    """An investigator who is not eliminated has this item."""

    item: Annotated[ItemId, Role.ASKS]


@part(Requirement, "anyone_has_trait", inline="trait")
class AnyoneHasTrait(Requirement):
    """An investigator who is not eliminated has a card with this trait."""

    trait: Trait


@part(Requirement, "has_spell", inline="spell")
class HasSpell(Requirement):
    """The investigator concerned has this Spell; with `true` any Spell."""

    spell: Annotated[str, Names(Kind.SPELL, free=frozenset(["true"])), Role.ASKS]


@part(Requirement, "has_condition", inline="condition")
class HasCondition(Requirement):
    """The investigator concerned openly has this Condition."""

    condition: Annotated[ConditionId, Role.ASKS]


@part(Requirement, "has_clues", inline="count")
class HasClues(Requirement):
    """The investigator concerned has at least this number of Clues."""

    count: Annotated[int, ONE_UP]


@part(Requirement, "is_wounded", inline="value")
class IsWounded(Requirement):
    """The investigator concerned is Wounded; with `false`, is not."""

    value: bool


@part(Requirement, "is_insane", inline="value")
class IsInsane(Requirement):
    """The investigator concerned is Insane; with `false`, is not."""

    value: bool


@part(Requirement, "is_eliminated", inline="value")
class IsEliminated(Requirement):
    """The investigator concerned is eliminated; with `false`, is not."""

    value: bool


@part(Requirement, "in_room", inline="room")
class InRoom(Requirement):
    """The investigator concerned is in this room."""

    room: RoomId


@part(Requirement, "in_space", inline="space")
class InSpace(Requirement):
    """The investigator concerned is in this space."""

    space: SpaceId


@attrs.frozen
class Near:
    """A distance from something, counted by ways open to figures on foot. DECIDE-101."""

    spaces: Distance
    """Maximum number of spaces; 0 means the space of the thing itself."""
    of: Origin
    """The thing from which the spaces are counted."""


@part(Requirement, "within")
class Within(Requirement):
    """
    The investigator concerned is at most some spaces away from something, by open ways.

    Rules NEAREST-1 and DECIDE-101.
    """

    spaces: Distance
    """Maximum number of spaces; 0 means the space of the thing itself."""
    of: Origin
    """The thing from which the spaces are counted."""


@part(Requirement, "adjacent_to", inline="of")
class AdjacentTo(Requirement):
    """
    The investigator concerned is in a space adjacent to something, even behind a wall.

    Rules ADJACENT-1 to ADJACENT-4.
    """

    of: Origin
    """The thing to which the space is adjacent."""


@part(Requirement, "anyone_in", inline="room")
class AnyoneIn(Requirement):
    """An investigator who is not eliminated is in this room."""

    room: RoomId


@part(Requirement, "with_others", inline="value")
class WithOthers(Requirement):
    """Another investigator is in the space of the investigator concerned; with `false`, none is."""

    value: bool


@part(Requirement, "monster_here", inline="kind")
class MonsterHere(Requirement):
    """The investigator concerned shares a space with a monster of this kind; `true` is any kind."""

    kind: Annotated[str, Names(Kind.MONSTER, free=frozenset(["true"])), Role.ASKS]


@part(Requirement, "token", inline="token")
class TokenOnBoard(Requirement):
    """This token lies on the board."""

    token: Annotated[TokenId, Role.ASKS]


@part(Requirement, "feature")
class FeatureOnBoard(Requirement):
    """There is a feature (a square token) of this kind in a space."""

    feature: FeatureKind
    at: Annotated[str, Names(Kind.SPACE, free=frozenset(["actor", "anywhere"]))] = "anywhere"
    """The space: an id, `actor` for the space of the investigator concerned, or `anywhere`."""


@part(Requirement, "room_is_open", inline="room")
class RoomIsOpen(Requirement):
    """This room is on the board."""

    room: RoomId


@part(Requirement, "room_trait", inline="trait")
class RoomTrait(Requirement):
    """A room with this trait is on the board."""

    trait: Annotated[str, Names(Kind.ROOM_TRAIT)]


@part(Requirement, "solved", inline="puzzle")
class Solved(Requirement):
    """This puzzle is solved."""

    puzzle: Annotated[PuzzleId, Role.ASKS]


@part(Requirement, "monsters")
class Monsters(Requirement):
    """The number of matching monsters on the board is within these bounds."""

    kind: Annotated[MonsterId, Role.ASKS] | None = None
    trait: MonsterTrait | None = None
    room: RoomId | None = None
    """A room. Only monsters in this room are counted."""
    named: FigureName | None = None
    """A name from the scenario's `monsters`. Only the monster with this name is counted."""
    within: Near | None = None
    """A distance. Only monsters within the distance are counted."""
    adjacent_to: Origin | None = None
    """A thing. Only monsters in spaces adjacent to the thing are counted. Rule ADJACENT-1."""
    at_least: Annotated[int, UNBOUNDED] = 0
    at_most: Annotated[int, UNBOUNDED] = 1_000_000


@part(Requirement, "enabled", inline="product")
class Enabled(Requirement):
    """This product is switched on for the table. Rule APP-18."""

    product: ProductId


@part(Requirement, "happened")
class Happened(Requirement):
    """
    An event has happened at least a number of times.

    A Mythos event was drawn, a trigger set off, a named effect called, or an option of a token
    used. The short form is the name alone: `happened: token/desk`.
    """

    event: Annotated[str, Names(Kind.HAPPENING), Role.SHORT]
    """The id of the Mythos event, trigger, token or named effect."""
    at_least: Annotated[int, ONE_UP] = 1


@part(Requirement, "timer")
class TimerLeft(Requirement):
    """
    A timer has a number of rounds or turns left; a timer that does not run has none.

    The short form is the name alone, and asks whether the timer runs: `timer: flood`.
    """

    name: Annotated[TimerName, Role.ASKS, Role.SHORT]
    at_least: Annotated[int, UNBOUNDED] = 1
    at_most: Annotated[int, UNBOUNDED] = 1_000_000


@part(Requirement, "final_round", inline="value")
class FinalRound(Requirement):
    """This is the last round, after an elimination; with `false`, it is not. Rule ELIMINATED-5."""

    value: bool


@part(Requirement, "is_won", inline="value")
class IsWon(Requirement):
    """The common result is a win; with `false`, a defeat. For the Insane backs at the end."""

    value: bool


Always = AllOf(())
"""The requirement that holds always."""
